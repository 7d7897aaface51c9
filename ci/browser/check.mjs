// Opens reports in a headless Chromium and looks at them as their readers would: no complaint in the console, nothing asked of a
// network, filters and keys that work, contrast and labels that hold (axe-core), no page wider than its window. Pictures are kept.
// Usage: check.mjs CHROMIUM AXE REPORTS PICTURES: the browser, axe.min.js, a folder with KIND.html, a folder for pictures.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startBrowser } from './chromium.mjs';

const [, , chromium, axePath, reports, pictures] = process.argv;
const axe = readFileSync(axePath, 'utf8');
const KINDS = ['pass', 'mixed', 'failing', 'waived', 'hostile', 'empty', 'speed', 'many'];
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const WIDTHS = [390, 1024, 1280, 2200];
const SLOWEST_FILTER_MS = 1000; // over 100,000 results, on a busy machine
const MOST_SECONDS_TO_OPEN = 2; // of work, for 100,000 failing results
const FULL = ['mixed']; // what is looked at in all ways: it has something in every section

let passed = 0;
let failed = 0;
function check(what, good, found) {
  if (good) {
    passed++;
  } else {
    failed++;
    console.log(`FAILED: ${what}: ${typeof found === 'string' ? found : JSON.stringify(found)}`);
  }
}

function keep(name, png) {
  writeFileSync(resolve(pictures, `${name}.png`), png);
}

// The list is there when the results are unpacked.
const READY = `new Promise((done) => {
  const look = () => document.getElementById('found').textContent ? done(true) : setTimeout(look, 20);
  look();
})`;

async function openReport(browser, kind, options) {
  const page = await browser.open(`file://${resolve(reports, kind + '.html')}`, options);
  await page.evaluate(READY);
  return page;
}

function checkComplaints(page, name) {
  check(`${name}: the console is silent and nothing is loaded`, page.complaints.length === 0, page.complaints.slice(0, 5));
}

// Rules of WCAG 2.1 A and AA and good practice; what it finds, one line a rule.
async function checkAccess(page, name) {
  await page.evaluate(`window.axe ? 0 : (() => { ${axe} })();0`);
  const found = await page.evaluate(`axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'], resultTypes: ['violations'],
  }).then((r) => r.violations.map((v) => v.id + ' (' + v.nodes.length + ' times): ' + v.help + ', first at ' + v.nodes[0].html.slice(0, 160)))`);
  check(`${name}: axe-core finds nothing`, found.length === 0, found);
}

async function checkWidth(page, name) {
  const widths = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
  check(`${name}: the page is no wider than its window`, widths[0] <= widths[1], widths);
}

// Families that fail first; axes that say what they are; the second colour for what needs a look alone.
async function checkWhere(page, kind) {
  const found = await page.evaluate(`(() => {
    const rows = [...document.querySelectorAll('.heatmap tbody tr')].map((r) => r.querySelector('.q.fail, .q.error') !== null);
    const charts = [...document.querySelectorAll('#main .charts .chart, .charts .chart')].filter((c) => c.querySelector('.hit'));
    return { late: rows.some((fails, i) => fails && i > 0 && !rows[i - 1]), charts: charts.length,
      bare: charts.filter((c) => c.querySelectorAll('text.to').length < 1 || c.querySelectorAll('text.end, text.start').length < 2).length,
      unsaid: charts.filter((c) => c.querySelector('.fill.far') && !c.querySelector('.key')).length };
  })()`);
  check(`${kind}: families that fail stand first`, !found.late, found);
  check(`${kind}: histograms have axes with numbers and words, and say what a second colour is`, found.bare === 0 && found.unsaid === 0, found);
}

// On a phone nothing lies to the right of the window without a sign, and no number over another.
async function checkPhone(page, kind) {
  const found = await page.evaluate(`(() => {
    const hidden = [...document.querySelectorAll('.heatmap th, .heatmap td a')].filter((e) => e.getBoundingClientRect().right > innerWidth);
    const big = [...document.querySelectorAll('.four .big')].map((e) => { e.textContent = 'over 10,000 %'; return e; });
    const out = big.filter((e) => e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > e.parentElement.getBoundingClientRect().right);
    return [hidden.length, out.length];
  })()`);
  check(`${kind}: on a phone all of the families is in the window, and numbers stay in their boxes`, found[0] === 0 && found[1] === 0, found);
}

// What the page says of itself, against what its data hold.
async function checkWords(page, kind) {
  const facts = await page.evaluate(`(() => {
    const data = JSON.parse(document.getElementById('data').textContent);
    const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
    return {
      title: document.title, verdict: document.querySelector('h1').textContent, four: document.querySelectorAll('.four > div').length,
      rows: data.rows, total: data.total, scripts: document.querySelectorAll('script').length,
      foreign: document.querySelectorAll('img, iframe, object, embed, link, video, audio').length,
      doubled: ids.filter((id, i) => ids.indexOf(id) !== i), broken: [...document.querySelectorAll('a[href^="#"]')].map((a) => a.getAttribute('href').slice(1))
        .filter((id) => !document.getElementById(id)),
      wrongLinks: [...document.querySelectorAll('a[href]')].map((a) => a.protocol).filter((p) => !['file:', 'http:', 'https:'].includes(p)),
    };
  })()`);
  const verdicts = { pass: 'Passed', mixed: 'Failed', failing: 'Failed', waived: 'Passed, with waivers', hostile: 'Failed', empty: 'Nothing was tested', speed: 'Speed was measured', many: 'Failed' };
  check(`${kind}: one verdict`, facts.verdict === verdicts[kind] && facts.title.startsWith(facts.verdict), facts.title);
  check(`${kind}: four numbers`, facts.four === (kind === 'speed' ? 0 : 4), facts.four);
  check(`${kind}: only the page's own two scripts, and nothing foreign`, facts.scripts === 2 && facts.foreign === 0, facts);
  check(`${kind}: ids stand once`, facts.doubled.length === 0, facts.doubled.slice(0, 5));
  check(`${kind}: links lead somewhere`, facts.broken.length === 0 && facts.wrongLinks.length === 0, facts);
  check(`${kind}: all results are in the list`, facts.rows === facts.total, facts);
  return facts;
}

/* ---- Filters ---- */

const FOUND = "document.getElementById('found').textContent";
const shown = (text) => Number(text.split(' ')[0].replaceAll(',', ''));

// Sets a control as a person would, waits for the list, and gives what it then shows.
async function filter(page, change) {
  return page.evaluate(`new Promise((done) => {
    const form = document.getElementById('filters');
    const start = performance.now();
    const watcher = new MutationObserver(() => { watcher.disconnect(); done([${FOUND}, performance.now() - start]); });
    watcher.observe(document.getElementById('found'), { childList: true, characterData: true, subtree: true });
    ${change};
    form.dispatchEvent(new Event('input', { bubbles: true }));
    setTimeout(() => { watcher.disconnect(); done([${FOUND}, performance.now() - start]); }, 5000);
  })`);
}

async function checkFilters(page, kind, facts) {
  const counts = await page.evaluate(`(() => {
    const data = JSON.parse(document.getElementById('data').textContent);
    const failed = [...data.verdict].filter((v) => v === 'f').length;
    let last = 0;
    const cases = data.case.map((step) => (last += step));
    const first = cases.filter((c) => data.caseFunction[c] === data.caseFunction[0]).length;
    const family = data.families[data.caseFunction[0]], type = data.types[data.caseFunction[0]];
    const ofFamily = cases.filter((c) => data.families[data.caseFunction[c]] === family).length;
    const ofType = cases.filter((c) => data.types[data.caseFunction[c]] === type).length;
    const tag = data.tags.flatMap((tags) => tags.split(',')).find(Boolean) ?? '';
    const tagged = tag && cases.filter((c) => data.tags[data.caseTag[c]].split(',').includes(tag)).length;
    const narrow = data.headroom.filter((bits) => bits !== null && bits < 8).length;
    const profile = data.profile.filter((p) => p === data.profile[0]).length;
    const controls = ['qa', 'qt', 'qg', 'qh'].filter((id) => document.getElementById(id)); // none where there is nothing to choose
    return { controls, failed, first, profile, family, ofFamily, type, ofType, tag, tagged, narrow, id: data.caseId[0], functionOf: data.caseFunction[0], profileOf: data.profile[0] };
  })()`);
  const only = (letter) => `form.querySelectorAll('[name=v]').forEach((box) => { box.checked = box.value === '${letter}'; })`;
  const reset = 'form.reset()';
  const tries = [
    ['one verdict', only('f'), counts.failed],
    ['one function', `${reset}; form.querySelector('#qf').value = '${counts.functionOf}'`, counts.first],
    ['one profile', `${reset}; form.querySelector('#qp').value = '${counts.profileOf}'`, counts.profile],
    ...[
      ['one family', 'qa', counts.family, counts.ofFamily],
      ['one type', 'qt', counts.type, counts.ofType],
      ['one tag', 'qg', counts.tag, counts.tagged],
      ['headroom below 8 bits', 'qh', '8', counts.narrow],
    ].filter(([, id]) => counts.controls.includes(id)).map(([what, id, value, wanted]) => [what, `${reset}; form.querySelector('#${id}').value = ${JSON.stringify(value)}`, wanted]),
    ['what is nowhere', `${reset}; form.querySelector('#q').value = 'no such case at all'`, 0],
    ['all again', reset, facts.rows],
  ];
  for (const [what, change, wanted] of tries) {
    const [text, ms] = await filter(page, change);
    check(`${kind}: filter for ${what}`, shown(text) === wanted, `${text}, wanted ${wanted}`);
    check(`${kind}: filter for ${what} without lag`, ms < SLOWEST_FILTER_MS, `${Math.round(ms)} ms`);
  }
  const [text] = await filter(page, `form.querySelector('#q').value = ${JSON.stringify(counts.id)}`);
  check(`${kind}: search for a case`, shown(text) >= 1 && shown(text) < Math.max(2, facts.rows), text);
  await filter(page, `${reset}; form.querySelector('#qo').value = 'us'`);
  const times = await page.evaluate("[...document.querySelectorAll('#rows .row')].slice(0, 2).map((r) => parseFloat(r.children[4].textContent))");
  check(`${kind}: the slowest come first`, times.length < 2 || !(times[0] < times[1]), times);
  await filter(page, reset);
}

/* ---- Keys ---- */

const settle = (page) => page.evaluate('new Promise((done) => setTimeout(done, 200))');

async function checkKeys(page, kind) {
  await settle(page); // a filter that was just changed empties the choice
  await page.evaluate("document.activeElement.blur(); scrollTo(0, 0)");
  await page.key('Tab', 9);
  check(`${kind}: the first stop is the link to the verdict`, await page.evaluate("document.activeElement.className") === 'skip-link', '');
  await page.evaluate("document.getElementById('rows').focus()");
  for (let i = 0; i < 3; i++) {
    await page.key('ArrowDown', 40);
  }
  const active = await page.evaluate("document.getElementById('rows').getAttribute('aria-activedescendant')");
  check(`${kind}: arrows move through the list`, active === 'row-2', active);
  await page.key('Enter', 13);
  const dialog = await page.evaluate("({ open: document.getElementById('detail').open, named: document.getElementById('detail-title').textContent.length > 0 })");
  check(`${kind}: Enter shows a result`, dialog.open && dialog.named, dialog);
  keep(`${kind}-result`, await page.picture(await page.evaluate('scrollY')));
  await checkAccess(page, `${kind}, one result`);
  await page.key('Escape', 27);
  const closed = await page.evaluate("[document.getElementById('detail').open, document.activeElement.id]");
  check(`${kind}: Escape closes it and gives the focus back`, !closed[0] && closed[1] === 'rows', closed);
}

// The end of the list is reached by its scroll bar, however long it is.
async function checkLastRow(page, kind, facts) {
  const last = await page.evaluate(`new Promise((done) => {
    const rows = document.getElementById('rows');
    rows.scrollTop = rows.scrollHeight;
    setTimeout(() => done(Math.max(...[...rows.querySelectorAll('.row')].map((r) => +r.dataset.at))), 200);
  })`);
  check(`${kind}: the last row can be reached`, last === facts.rows - 1, last);
}

// The heat map leads to the list, and the address to what was seen.
async function checkPermalink(browser, page, kind) {
  const [family, text, address] = await page.evaluate(`new Promise((done) => {
    const link = document.querySelector('.heatmap td a');
    link.querySelector('g[data-p] rect').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    setTimeout(() => done([document.getElementById('qa').value === link.dataset.family, ${FOUND}, location.hash]), 300);
  })`);
  check(`${kind}: a square of the heat map filters the list`, family && /family=/.test(address) && /profile=/.test(address), [family, address]);
  await page.evaluate("document.getElementById('rows').focus()");
  await page.key('ArrowDown', 40);
  await page.key('Enter', 13);
  const opened = await page.evaluate("[location.hash, document.getElementById('detail-title').textContent]");
  await page.key('Escape', 27);
  const again = await browser.open(`file://${resolve(reports, kind + '.html')}${opened[0]}`, DESKTOP);
  await again.evaluate(READY);
  await settle(again);
  const seen = await again.evaluate(`[${FOUND}, document.getElementById('detail').open, document.querySelector('#detail-title')?.textContent]`);
  check(`${kind}: the address leads to the same filters and the same result`, seen[0] === text && seen[1] && seen[2] === opened[1], [seen, text, opened]);
  await again.close();
}

async function checkMatrixLink(page, kind) {
  const result = await page.evaluate(`new Promise((done) => {
    const link = document.querySelector('.matrix td a[data-f]');
    link.click();
    setTimeout(() => done([document.getElementById('qf').value === link.dataset.f, document.getElementById('qp').value === link.dataset.p, ${FOUND}]), 300);
  })`);
  check(`${kind}: a cell of the matrix filters the list`, result[0] && result[1], result);
}

// In all widths, light and dark, and on paper.
async function checkAllWays(page, kind) {
  for (const dark of [false, true]) {
    await page.media('', dark);
    for (const width of WIDTHS) {
      await page.resize(width);
      const name = `${kind}, ${width} px, ${dark ? 'dark' : 'light'}`;
      await checkWidth(page, name);
      await checkAccess(page, name);
    }
  }
  await page.resize(DESKTOP.width);
  await page.media('print');
  await checkAccess(page, `${kind}, print`);
  await page.media('');
}

async function checkPrint(page, kind) {
  const pdf = await page.pdf();
  check(`${kind}: it prints`, pdf.subarray(0, 5).toString() === '%PDF-' && pdf.length > 10000, pdf.length);
  await page.media('print');
  const seen = await page.evaluate("['nav', '#all'].map((s) => getComputedStyle(document.querySelector(s)).display)");
  check(`${kind}: navigation and list stay off paper`, seen.every((d) => d === 'none'), seen);
  keep(`${kind}-print`, await page.picture(0, 1400));
}

/* ---- The checks, checked ---- */

// A page with one fault of each kind: what finds nothing here finds nothing anywhere.
async function checkTheChecks(browser) {
  const page = await openReport(browser, 'empty', DESKTOP);
  await page.evaluate(`document.querySelector('h1').style.color = '#eeeeee';
    document.querySelector('main').append(document.createElement('input'));
    document.body.append(Object.assign(document.createElement('img'), { src: 'http://127.0.0.1:9/x.png', alt: '' }));
    console.error('a complaint'); setTimeout(() => { throw new Error('thrown'); }, 0); 0`);
  await page.evaluate(axe + ';0');
  const rules = await page.evaluate("axe.run(document).then((r) => r.violations.map((v) => v.id))");
  await settle(page);
  check('axe-core sees faint text and a field without a label', rules.includes('color-contrast') && rules.includes('label'), rules);
  const all = page.complaints.join('; ');
  check('complaints, exceptions and refused addresses are seen', /a complaint/.test(all) && /thrown/.test(all) && /127.0.0.1|Content Security Policy/.test(all), all);
  await page.evaluate('setTimeout(() => alert(1), 0); 0');
  await settle(page);
  check('a dialog is seen', /a dialog opened/.test(page.complaints.join('; ')), page.complaints);
  await page.close();
}

/* ---- All of it ---- */

async function checkKind(browser, kind) {
  const page = await openReport(browser, kind, DESKTOP);
  const facts = await checkWords(page, kind);
  await checkWhere(page, kind);
  keep(`${kind}-desktop`, await page.picture(0, 1400));
  if (FULL.includes(kind)) {
    await checkAllWays(page, kind);
  } else {
    await checkAccess(page, kind);
    await checkWidth(page, kind);
    for (const width of [1024, 2200]) {
      await page.resize(width);
      await checkWidth(page, `${kind}, ${width} px`);
    }
    await page.resize(DESKTOP.width);
  }
  if (facts.rows > 0) {
    await checkFilters(page, kind, facts);
    await checkKeys(page, kind);
    await checkLastRow(page, kind, facts);
    await checkMatrixLink(page, kind);
    if (kind !== 'hostile') { // its names say nothing twice
      await checkPermalink(browser, page, kind);
    }
  }
  checkComplaints(page, kind);
  if (kind === 'mixed') {
    await checkPrint(page, kind);
  }
  await page.close();

  const dark = await openReport(browser, kind, { ...DESKTOP, dark: true });
  if (!FULL.includes(kind)) {
    await checkAccess(dark, `${kind}, dark`);
  }
  keep(`${kind}-dark`, await dark.picture(0, 1400));
  checkComplaints(dark, `${kind}, dark`);
  await dark.close();

  const phone = await openReport(browser, kind, PHONE);
  await checkWidth(phone, `${kind}, phone`);
  if (kind === 'hostile') { // the others have nothing on a phone that this and those of FULL have not
    await checkAccess(phone, `${kind}, phone`);
  }
  keep(`${kind}-phone`, await phone.picture(0, 1700));
  checkComplaints(phone, `${kind}, phone`);
  await checkPhone(phone, kind);
  await phone.close();
}

// 100,000 results that failed: how much work it is until the list is there.
async function checkOpening(browser) {
  const page = await openReport(browser, 'worst', DESKTOP);
  const seconds = await page.worked();
  console.log(`100,000 failing results: opened with ${seconds.toFixed(2)} s of work`);
  check('100,000 failing results open in time', seconds < MOST_SECONDS_TO_OPEN, `${seconds} s of work`);
  const seen = await page.evaluate("[document.getElementById('found').textContent, document.documentElement.outerHTML.length]");
  check('100,000 failing results are in the list', shown(seen[0]) === JSON.parse(await page.evaluate("JSON.stringify(JSON.parse(document.getElementById('data').textContent).rows)")), seen);
  checkComplaints(page, 'worst');
  keep('worst-desktop', await page.picture(0, 1400));
  await page.close();
}

// The page of many runs has no list and no script.
async function checkHistory(browser) {
  for (const [name, options] of [['desktop', DESKTOP], ['dark', { ...DESKTOP, dark: true }], ['phone', PHONE]]) {
    const page = await browser.open(`file://${resolve(reports, 'history.html')}`, options);
    await checkAccess(page, `history, ${name}`);
    await checkWidth(page, `history, ${name}`);
    keep(`history-${name}`, await page.picture(0, 1400));
    const seen = await page.evaluate("[document.querySelectorAll('.chart svg').length, document.querySelectorAll('#runs tbody tr').length]");
    check(`history, ${name}: charts and runs are there`, seen[0] >= 5 && seen[1] === 3, seen);
    checkComplaints(page, `history, ${name}`);
    await page.close();
  }
}

// The tasks are dealt out to two browsers: a machine has two cores at least, and a page uses one.
mkdirSync(pictures, { recursive: true });
const tasks = [['many', (browser) => checkKind(browser, 'many')], ['the checks', checkTheChecks], ['history', checkHistory], ['opening', checkOpening],
  ...KINDS.filter((kind) => kind !== 'many').map((kind) => [kind, (browser) => checkKind(browser, kind)])];

async function workOff() {
  const browser = await startBrowser(chromium);
  try {
    for (let task = tasks.shift(); task; task = tasks.shift()) {
      const start = Date.now();
      await task[1](browser);
      console.log(`${task[0]}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
    }
  } catch (error) {
    check('the checks come to their end', false, String(error.stack || error));
  } finally {
    await browser.close();
  }
}

await Promise.all([workOff(), workOff()]);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
