// A headless Chromium, spoken to over two pipes in the DevTools protocol: messages are JSON, each ends with a zero byte.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--hide-scrollbars', '--remote-debugging-pipe'];
const ANSWER_SECONDS = 120;

// Starts the program; gives { open, close }.
export async function startBrowser(program) {
  const profile = mkdtempSync(join(tmpdir(), 'lastbit-browser-'));
  const child = spawn(program, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const [, , , toBrowser, fromBrowser] = child.stdio;
  const waiting = new Map();
  const listeners = new Map(); // by session
  let number = 0;
  let rest = '';

  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.on('error', () => {});
  toBrowser.on('error', () => {});
  ended.then(() => {
    waiting.forEach(({ reject }) => reject(new Error('the browser ended')));
    waiting.clear();
  });

  function take(message) {
    if (message.id !== undefined) {
      const { resolve, reject } = waiting.get(message.id) || { resolve() {}, reject() {} };
      waiting.delete(message.id);
      if (message.error) {
        reject(new Error(message.error.message));
      } else {
        resolve(message.result);
      }
    } else if (listeners.has(message.sessionId)) {
      listeners.get(message.sessionId)(message.method, message.params);
    }
  }

  fromBrowser.setEncoding('utf8');
  fromBrowser.on('data', (text) => {
    const parts = (rest + text).split('\0');
    rest = parts.pop();
    parts.forEach((part) => take(JSON.parse(part)));
  });

  function send(method, params = {}, sessionId = undefined) {
    const id = ++number;
    toBrowser.write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: no answer in ${ANSWER_SECONDS} s`)), ANSWER_SECONDS * 1000);
      const settle = (done) => (value) => { clearTimeout(timer); done(value); };
      waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
    });
  }

  // A page of its own; `complaints` gathers what the console, the script engine and the network object to.
  async function open(url, { width, height, dark = false }) {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    const call = (method, params) => send(method, params, sessionId);
    const complaints = [];
    let loaded;
    const load = new Promise((resolve) => { loaded = resolve; });
    listeners.set(sessionId, (method, params) => {
      if (method === 'Page.loadEventFired') {
        loaded();
      } else if (method === 'Runtime.exceptionThrown') {
        complaints.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
      } else if (method === 'Runtime.consoleAPICalled' && params.type === 'error') {
        complaints.push(params.args.map((a) => a.value || a.description).join(' '));
      } else if (method === 'Log.entryAdded' && params.entry.level === 'error') {
        complaints.push(`${params.entry.text} ${params.entry.url || ''}`);
      } else if (method === 'Network.requestWillBeSent' && !params.request.url.startsWith('file:')) {
        complaints.push(`the page asks for ${params.request.url}`);
      } else if (method === 'Page.javascriptDialogOpening') {
        complaints.push(`a dialog opened: ${params.message}`);
        call('Page.handleJavaScriptDialog', { accept: false }).catch(() => {});
      }
    });
    for (const domain of ['Page', 'Runtime', 'Log', 'Network', 'Performance']) {
      await call(`${domain}.enable`);
    }
    await call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    await call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
      { name: 'prefers-reduced-motion', value: 'reduce' }] });
    await call('Page.navigate', { url });
    await load;

    // The value of an expression in the page; promises are waited for.
    async function evaluate(expression) {
      const { result, exceptionDetails } = await call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      if (exceptionDetails) {
        throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
      }
      return result.value;
    }

    // A picture: of the window, or of `tall` pixels of the page from `top` on.
    async function picture(top = 0, tall = height) {
      const clip = { x: 0, y: top, width, height: tall, scale: 1 };
      const { data } = await call('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true, clip });
      return Buffer.from(data, 'base64');
    }

    async function key(name, code) {
      const text = name === 'Enter' ? '\r' : undefined;
      await call('Input.dispatchKeyEvent', { type: 'keyDown', key: name, code: name, windowsVirtualKeyCode: code, text });
      await call('Input.dispatchKeyEvent', { type: 'keyUp', key: name, code: name, windowsVirtualKeyCode: code });
    }

    const resize = (wide) => call('Emulation.setDeviceMetricsOverride', { width: wide, height, deviceScaleFactor: 1, mobile: wide < 600 });
    // "print", "" for the screen; light or dark.
    const media = (name, dark = false) => call('Emulation.setEmulatedMedia', { media: name,
      features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }, { name: 'prefers-reduced-motion', value: 'reduce' }] });
    // Seconds that the page's main thread has worked.
    const worked = async () => (await call('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value;
    const pdf = async () => Buffer.from((await call('Page.printToPDF', { printBackground: true })).data, 'base64');
    const close = () => send('Target.closeTarget', { targetId });
    return { evaluate, picture, key, resize, media, worked, pdf, close, complaints };
  }

  async function close() {
    await Promise.race([send('Browser.close').catch(() => {}), ended]);
    const killer = setTimeout(() => child.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(killer);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }

  await Promise.race([send('Browser.getVersion'), ended.then(() => { throw new Error(`${program} does not start`); })]);
  return { open, close };
}
