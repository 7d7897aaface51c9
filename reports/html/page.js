
// The list of all results, rendered on demand; copy buttons; groups that open when they are linked to. Text of suites and
// ports only ever becomes text nodes here.
(() => {
  'use strict';
  const byId = (id) => document.getElementById(id);
  const VERDICTS = {
    p: ['pass', 'Passed'], f: ['fail', 'Failed'], e: ['error', 'Error'], s: ['skip', 'Skipped'], w: ['waived', 'Waived'],
  };
  const OPINIONS = ['no agreement', 'agrees', 'differs'];
  const ALONE = { port: 'The port', recorded: 'The recorded expectation', exact: 'The exact model', real: 'The real model' };
  const MAX_HEIGHT = 8e6; // browsers lose precision in taller elements
  const grouped = (n) => n.toLocaleString('en-US');

  // An element with attributes and children; strings among the children become text.
  function el(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  }

  function svgElement(name, attributes) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) {
      element.setAttribute(key, value);
    }
    return element;
  }

  function icon(name) {
    const svg = svgElement('svg', { class: 'i', 'aria-hidden': 'true' });
    svg.append(svgElement('use', { href: '#i-' + name }));
    return svg;
  }

  /* ---- Copying ---- */

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch (refused) {
      const area = el('textarea', { 'aria-hidden': 'true', class: 'unseen' });
      area.value = text;
      (byId('detail').open ? byId('detail') : document.body).append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
  }

  function addCopyButton(shell) {
    const button = el('button', { type: 'button' }, 'Copy');
    button.addEventListener('click', async () => {
      await copy(shell.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
    shell.append(button);
  }

  /* ---- Groups ---- */

  function openTarget() {
    const target = location.hash.length > 1 && byId(location.hash.slice(1));
    const group = target && target.closest('details');
    if (group) {
      group.open = true;
      target.scrollIntoView();
    }
  }

  function openForPrint() {
    let closed = [];
    addEventListener('beforeprint', () => {
      closed = [...document.querySelectorAll('main details:not([open], .points)')]; // missed points would fill a book
      closed.forEach((group) => { group.open = true; });
    });
    addEventListener('afterprint', () => closed.forEach((group) => { group.open = false; }));
  }

  /* ---- The results ---- */

  function load() {
    const data = JSON.parse(byId('data').textContent);
    data.reasonOf = new Map(data.reasonRow.map((row, i) => [row, data.reason[i]]));
    return data;
  }

  // The rows that the filters let through, in the order asked for.
  function select(data, wanted) {
    const terms = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
    if (terms.length > 0 && !data.haystack) {
      data.haystack = data.caseId.map((id, i) =>
        `${id} ${data.functions[data.caseFunction[i]]} ${data.files[data.caseFile[i]]}`.toLowerCase());
      data.reasonText = data.reasons.map((reason) => reason.toLowerCase());
    }
    const inCase = terms.map((term) => data.haystack.map((text) => text.includes(term)));
    const inReason = terms.map((term) => data.reasonText.map((text) => text.includes(term)));
    const rows = [];
    for (let row = 0; row < data.rows; row++) {
      const index = data.case[row];
      if (wanted.verdicts.includes(data.verdict[row]) &&
          (!wanted.doubt || (data.verdict[row] === 'p' && data.reasonOf.has(row))) &&
          (wanted.func === '' || data.caseFunction[index] === +wanted.func) &&
          (wanted.profile === '' || data.profile[row] === +wanted.profile) &&
          (wanted.suite === '' || data.caseSuite[index] === +wanted.suite) &&
          terms.every((_, t) => inCase[t][index] || inReason[t][data.reasonOf.get(row)])) {
        rows.push(row);
      }
    }
    return order(data, rows, wanted.order);
  }

  function order(data, rows, by) {
    if (by === '') {
      return rows;
    }
    const sign = by === 'headroom' ? 1 : -1;
    const missing = sign * Infinity;
    const key = (row) => (data[by][row] === null ? missing : data[by][row]);
    return rows.sort((a, b) => (key(a) === key(b) ? a - b : sign * (key(a) < key(b) ? -1 : 1)));
  }

  const micros = (us) => (us === 0 ? '' : us < 100 ? us.toFixed(2) + ' µs' : grouped(Math.round(us)) + ' µs');

  function verdictCell(letter) {
    const [name, title] = VERDICTS[letter];
    return el('span', { class: 'v ' + name, role: 'gridcell' }, icon(name), title);
  }

  function cell(text, number) {
    return el('span', number ? { role: 'gridcell', class: 'n' } : { role: 'gridcell' }, text);
  }

  function codeCell(text) {
    return el('span', { role: 'gridcell', title: text }, el('code', {}, text));
  }

  /* ---- The list: only the rows in sight exist ---- */

  function makeList(data, open) {
    const holder = byId('list');
    const titles = ['Verdict', 'Case', 'Function', 'Profile', 'Time', 'Headroom', 'Deviation'];
    const head = el('div', { class: 'row head', role: 'row' });
    titles.forEach((title, i) => head.append(el('span', i > 3 ? { role: 'columnheader', class: 'n' } : { role: 'columnheader' }, title)));
    const rows = el('div', { id: 'rows', role: 'rowgroup', tabindex: '0', 'aria-label': 'Results; Enter shows one' });
    const space = el('div', { class: 'space', role: 'presentation' });
    holder.setAttribute('role', 'grid');
    holder.setAttribute('aria-label', 'All results');
    holder.setAttribute('aria-colcount', String(titles.length));
    holder.append(el('div', { role: 'rowgroup' }, head), rows);
    rows.append(space);
    holder.hidden = data.rows === 0;

    const list = { shown: [], active: -1, rowHeight: 36, ratio: 1 };

    function measure() {
      list.rowHeight = parseFloat(getComputedStyle(holder).getPropertyValue('--row'));
      const wanted = list.shown.length * list.rowHeight;
      const height = Math.min(wanted, MAX_HEIGHT);
      const view = rows.clientHeight;
      head.style.paddingRight = `calc(1rem + ${rows.offsetWidth - rows.clientWidth}px)`;
      list.ratio = wanted > height ? (wanted - view) / (height - view) : 1;
      space.style.height = height + 'px';
    }

    function makeRow(at) {
      const row = list.shown[at];
      const index = data.case[row];
      const headroom = data.headroom[row];
      const steps = data.steps[row];
      const line = el('div', { class: 'row', role: 'row', id: 'row-' + at, 'aria-rowindex': String(at + 2), 'aria-selected': String(at === list.active) },
        verdictCell(data.verdict[row]), codeCell(data.caseId[index]), codeCell(data.functions[data.caseFunction[index]]),
        cell(data.profiles[data.profile[row]]), cell(micros(data.us[row]), true),
        cell(headroom === null ? '' : headroom + ' bits', true), cell(steps === null ? '' : steps.toFixed(3), true));
      line.dataset.at = at;
      return line;
    }

    function draw() {
      const top = rows.scrollTop * list.ratio;
      const first = Math.max(0, Math.floor(top / list.rowHeight) - 4);
      const last = Math.min(list.shown.length, Math.ceil((top + rows.clientHeight) / list.rowHeight) + 4);
      const lines = [];
      for (let at = first; at < last; at++) {
        const line = makeRow(at);
        line.style.transform = `translateY(${rows.scrollTop - top + at * list.rowHeight}px)`;
        lines.push(line);
      }
      rows.replaceChildren(space, ...lines);
      if (list.shown.length === 0) {
        rows.append(el('p', { class: 'empty' }, 'No result matches these filters.'));
      }
      if (list.active >= first && list.active < last) {
        rows.setAttribute('aria-activedescendant', 'row-' + list.active);
      } else {
        rows.removeAttribute('aria-activedescendant');
      }
    }

    function reveal(at) {
      const top = at * list.rowHeight;
      const view = rows.clientHeight;
      const seen = rows.scrollTop * list.ratio;
      if (top < seen) {
        rows.scrollTop = top / list.ratio;
      } else if (top + list.rowHeight > seen + view) {
        rows.scrollTop = (top + list.rowHeight - view) / list.ratio;
      }
    }

    list.activate = (at) => {
      list.active = Math.max(0, Math.min(list.shown.length - 1, at));
      reveal(list.active);
      draw();
    };

    list.show = (shown) => {
      list.shown = shown;
      list.active = -1;
      holder.setAttribute('aria-rowcount', String(shown.length + 1));
      rows.scrollTop = 0;
      measure();
      draw();
    };

    function key(event) {
      const page = Math.max(1, Math.floor(rows.clientHeight / list.rowHeight) - 1);
      const moves = { ArrowDown: list.active + 1, ArrowUp: list.active - 1, PageDown: list.active + page, PageUp: list.active - page, Home: 0, End: list.shown.length - 1 };
      if (list.shown.length === 0) {
        return;
      }
      if (event.key in moves) {
        event.preventDefault();
        list.activate(moves[event.key]);
      } else if ((event.key === 'Enter' || event.key === ' ') && list.active >= 0) {
        event.preventDefault();
        open(list);
      }
    }

    let due = false;
    rows.addEventListener('scroll', () => {
      if (!due) {
        due = true;
        requestAnimationFrame(() => { due = false; draw(); });
      }
    }, { passive: true });
    rows.addEventListener('keydown', key);
    rows.addEventListener('click', (event) => {
      const line = event.target.closest('.row');
      if (line) {
        list.activate(+line.dataset.at);
        open(list);
      }
    });
    addEventListener('resize', () => { measure(); draw(); });
    return list;
  }

  /* ---- One result ---- */

  function fact(facts, title, content) {
    if (content) {
      facts.append(el('div', {}, el('dt', {}, title), el('dd', {}, content)));
    }
  }

  function differenceTable(differences) {
    const titles = ['Oracle', 'What', 'First at', 'Expected', 'Got', 'Differ', 'Operands'];
    const head = el('tr', {});
    titles.forEach((title, i) => head.append(el('th', i > 2 && i < 6 ? { scope: 'col', class: 'n' } : { scope: 'col' }, title)));
    const body = el('tbody', {});
    for (const [oracle, what, role, field, index, operands, expected, got, count, total] of differences) {
      const where = role + (field ? (role ? '.' : '') + field : '') + (index ? `[${index}]` : '');
      const line = el('tr', {}, el('th', { scope: 'row' }, oracle), el('td', {}, what), el('td', {}, el('code', {}, where)),
        el('td', { class: 'n' }, el('code', {}, expected)), el('td', { class: 'n got' }, el('code', {}, got)),
        el('td', { class: 'n' }, `${grouped(count)} of ${grouped(total)}`), el('td', {}, el('code', {}, operands)));
      titles.forEach((title, i) => line.children[i].setAttribute('data-t', title));
      body.append(line);
    }
    return el('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Differences' },
      el('table', { class: 'differences' }, el('caption', { class: 'unseen' }, 'Differences'), el('thead', {}, head), body));
  }

  // The same picture as in the static part of the page: a run of cells of one class is one stroke of its path.
  function differenceMap(rows, columns, map, role) {
    const side = Math.max(rows, columns);
    const scale = Math.max(3, Math.min(14, Math.floor(240 / side)));
    const differ = [...map].filter((c) => c !== '.').length;
    const words = `Where ${role || 'the output'} differs: ${differ} of ${rows * columns} cells`;
    const svg = svgElement('svg', { role: 'img', 'aria-label': words, viewBox: `0 0 ${columns} ${rows}`, width: columns * scale, height: rows * scale });
    svg.append(svgElement('rect', { class: 'm0', width: columns, height: rows }));
    for (let c = 1; c <= 9; c++) {
      let path = '';
      for (let row = 0; row < rows; row++) {
        for (const run of map.slice(row * columns, (row + 1) * columns).matchAll(new RegExp(c + '+', 'g'))) {
          path += `M${run.index} ${row}h${run[0].length}v1h-${run[0].length}z`;
        }
      }
      if (path) {
        svg.append(svgElement('path', { class: 'm' + c, d: path }));
      }
    }
    return el('figure', { class: 'map' }, svg, el('figcaption', {}, words));
  }

  function opinionText(letter) {
    const code = letter.charCodeAt(0) - 65;
    const parts = [['recorded', Math.floor(code / 9)], ['exact', Math.floor(code / 3) % 3], ['real', code % 3]];
    return parts.filter(([, agreement]) => agreement > 0).map(([name, agreement]) => `${name} ${OPINIONS[agreement]}`).join(', ');
  }

  function describe(data, row) {
    const index = data.case[row];
    const details = data.details[row];
    const facts = el('dl', { class: 'facts' });
    fact(facts, 'Function', el('code', {}, data.functions[data.caseFunction[index]]));
    fact(facts, 'Case', el('code', {}, `${data.files[data.caseFile[index]]}:${data.caseLine[index]}`));
    fact(facts, 'Suite', data.suites[data.caseSuite[index]]);
    if (details) {
      fact(facts, 'Stands alone', ALONE[details[0]]);
      if (details[1] !== details[2]) {
        fact(facts, 'Status', el('span', {}, 'expected ', el('code', {}, details[1] || 'none'), ', got ', el('code', {}, details[2] || 'none')));
      }
      fact(facts, 'Violated rule', details[3] && el('code', {}, details[3]));
      fact(facts, 'Diverges at', details[6] && el('code', {}, details[6]));
      fact(facts, 'Waived by', details[7]);
    }
    fact(facts, 'Oracles', opinionText(data.agreements[row]));
    fact(facts, 'Time', micros(data.us[row]));
    fact(facts, 'Headroom', data.headroom[row] === null ? '' : `${data.headroom[row]} bits of the accumulator`);
    fact(facts, 'Largest deviation', data.steps[row] === null ? '' : `${data.steps[row]} steps from real numbers`);
    return facts;
  }

  function makeOpener(data) {
    const dialog = byId('detail');
    function fill(list) {
      const row = list.shown[list.active];
      const [name, title] = VERDICTS[data.verdict[row]];
      const details = data.details[row];
      const reason = data.reasonOf.get(row);
      const button = (text, act, off) => {
        const made = el('button', off ? { type: 'button', disabled: '' } : { type: 'button' }, text);
        made.addEventListener('click', act);
        return made;
      };
      const step = (by) => () => { list.activate(list.active + by); fill(list); };
      const close = button('Close', () => dialog.close());
      const parts = [
        el('h3', { id: 'detail-title' }, el('span', { class: 'v ' + name }, icon(name), ' ' + title), el('code', {}, data.caseId[data.case[row]]),
          el('span', { class: 'profile' }, data.profiles[data.profile[row]]))];
      if (reason !== undefined) {
        parts.push(el('p', {}, data.reasons[reason]));
      }
      parts.push(describe(data, row));
      if (details && details[8]) {
        parts.push(differenceMap(details[8], details[9], details[10], details[11]));
      }
      if (details && details[5].length > 0) {
        parts.push(differenceTable(details[5]));
      }
      if (details && details[4]) {
        const shell = el('div', { class: 'shell' }, el('p', { class: 'unseen' }, 'To reproduce:'), el('pre', {}, el('code', {}, details[4])));
        addCopyButton(shell);
        parts.push(shell);
      }
      if (!details && 'few'.includes(data.verdict[row])) {
        parts.push(el('p', { class: 'quiet' }, 'Its differences are left out of this page to keep it small; the results file holds them.'));
      }
      parts.push(el('div', { class: 'buttons' }, button('Previous', step(-1), list.active === 0),
        button('Next', step(1), list.active === list.shown.length - 1), close));
      dialog.replaceChildren(...parts);
      close.focus();
    }
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) {
        dialog.close();
      }
    });
    dialog.addEventListener('close', () => byId('rows').focus({ preventScroll: true }));
    return (list) => {
      dialog.showModal();
      fill(list);
    };
  }

  /* ---- Filters ---- */

  function addOptions(id, names, used) {
    const options = names.map((name, i) => ({ name, i })).filter(({ i }) => !used || used.has(i));
    options.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    byId(id).append(...options.map(({ name, i }) => el('option', { value: String(i) }, name)));
  }

  function makeFilters(data, list) {
    const form = byId('filters');
    addOptions('qf', data.functions);
    addOptions('qp', data.profiles, new Set(data.profile));
    addOptions('qs', data.suites);
    form.hidden = data.rows === 0;

    function apply() {
      const wanted = {
        text: byId('q').value, func: byId('qf').value, profile: byId('qp').value, suite: byId('qs').value, order: byId('qo').value,
        doubt: byId('qm') !== null && byId('qm').checked,
        verdicts: [...form.querySelectorAll('[name=v]:checked')].map((box) => box.value).join(''),
      };
      list.show(select(data, wanted));
      const left = data.total - data.rows;
      byId('found').textContent = `${grouped(list.shown.length)} of ${grouped(data.rows)} results` +
        (left > 0 ? `. ${grouped(left)} more are left out to keep this page small; the results file holds them.` : '');
    }

    let timer = 0;
    form.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(apply, 60);
    });
    form.addEventListener('submit', (event) => { event.preventDefault(); apply(); });
    form.addEventListener('reset', () => setTimeout(apply, 0));
    // A link into the list says what it wants to see there.
    document.addEventListener('click', (event) => {
      const link = event.target.closest('a[data-f]');
      if (link) {
        form.reset();
        byId('qf').value = link.dataset.f;
        byId('qp').value = link.dataset.p || '';
        form.querySelectorAll('[name=v]').forEach((box) => { box.checked = !link.dataset.v || link.dataset.v.includes(box.value); });
        setTimeout(apply, 0);
      }
    });
    apply();
  }

  document.documentElement.classList.add('js');
  document.querySelectorAll('.shell').forEach(addCopyButton);
  addEventListener('hashchange', openTarget);
  openTarget();
  openForPrint();
  // The page is painted before the results are unpacked.
  setTimeout(() => {
    const data = load();
    makeFilters(data, makeList(data, makeOpener(data)));
  }, 0);
})();
