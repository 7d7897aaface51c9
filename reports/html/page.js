
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

  // A link opens what it leads to: the groups around it, and its own.
  function openTarget() {
    const target = location.hash.length > 1 && byId(location.hash.slice(1).split('?')[0]);
    if (!target) {
      return;
    }
    const own = target.matches('section') ? target.querySelector(':scope > details') : null;
    for (let group = own || target.closest('details'); group; group = group.parentElement.closest('details')) {
      group.open = true;
    }
    target.scrollIntoView();
  }

  function openForPrint() {
    let closed = [];
    addEventListener('beforeprint', () => {
      closed = [...document.querySelectorAll('main details:not([open], .points, .steps, .rule)')]; // missed points would fill a book
      closed.forEach((group) => { group.open = true; });
    });
    addEventListener('afterprint', () => closed.forEach((group) => { group.open = false; }));
  }

  /* ---- The results ---- */

  // Numbers of cases stand as differences; what a failure shows is a row of numbers over tables of words.
  function load() {
    const data = JSON.parse(byId('data').textContent);
    let last = 0;
    let failing = 0;
    data.case = data.case.map((step) => (last += step));
    data.detailOf = new Map();
    for (let row = 0; row < data.rows; row++) {
      if ('few'.includes(data.verdict[row])) {
        data.detailOf.set(row, data.detail[failing++]);
      }
    }
    return data;
  }

  const reasonOf = (data, row) => (data.reason[row] > 0 ? data.reasons[data.reason[row] - 1] : '');

  // The line for this result: file, id and profile stand in it as 0, 1 and 2.
  function shellLine(data, row, number) {
    const index = data.case[row];
    const parts = [data.files[data.caseFile[index]], data.caseId[index], data.profiles[data.profile[row]]];
    return data.shells[number].map((piece) => (typeof piece === 'number' ? parts[piece] : piece)).join('');
  }

  // What is known of a failing result; null: left out.
  function detailsOf(data, row) {
    const number = data.detailOf.get(row);
    if (number === undefined || number < 0) {
      return null;
    }
    const entry = data.details[number];
    const word = (i) => data.words[entry[i]];
    const details = {
      outlier: word(0), expected: word(1), got: word(2), rule: word(3), diverges: word(4), waiver: word(5), fault: word(6), section: word(7),
      cpu: word(8), reproduce: shellLine(data, row, entry[9]), explain: shellLine(data, row, entry[10]),
      map: entry[11] > 0 ? data.maps[entry[11] - 1] : null, differences: [],
    };
    for (let i = 12; i < entry.length; i += 7) {
      const [oracle, what, role, field] = data.kinds[entry[i]].map((w) => data.words[w]);
      details.differences.push({ oracle, what, role, field, index: word(i + 1), operands: word(i + 2), expected: word(i + 3), got: word(i + 4),
        count: entry[i + 5], total: entry[i + 6] });
    }
    return details;
  }

  // A word of the details of a row, by its place; '' where it has none.
  function wordOf(data, row, place) {
    const number = data.detailOf.get(row);
    return number === undefined || number < 0 ? '' : data.words[data.details[number][place]];
  }
  const STEP = 4;
  const FAULT = 6;

  // Which entries of a table hold a term.
  const holding = (texts, term) => texts.map((text) => text.includes(term));

  // Is there a filter that needs more than the table of its rows?
  function textTest(data, text) {
    const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (terms.length === 0) {
      return null;
    }
    if (!data.haystack) {
      data.haystack = data.caseId.map((id, i) =>
        `${id} ${data.functions[data.caseFunction[i]]} ${data.files[data.caseFile[i]]}`.toLowerCase());
      data.reasonText = data.reasons.map((reason) => reason.toLowerCase());
    }
    const inCase = terms.map((term) => holding(data.haystack, term));
    const inReason = terms.map((term) => holding(data.reasonText, term));
    return (row, index) => terms.every((_, t) => inCase[t][index] || (data.reason[row] > 0 && inReason[t][data.reason[row] - 1]));
  }

  // Tests of one result, for the filters that are set.
  function makeTests(data, wanted) {
    const tests = [];
    const functionOf = (index) => data.caseFunction[index];
    const add = (value, test) => value !== '' && tests.push(test);
    add(wanted.func, (row, index) => functionOf(index) === +wanted.func);
    add(wanted.profile, (row) => data.profile[row] === +wanted.profile);
    add(wanted.suite, (row, index) => data.caseSuite[index] === +wanted.suite);
    add(wanted.family, (row, index) => data.families[functionOf(index)] === wanted.family);
    add(wanted.type, (row, index) => data.types[functionOf(index)] === wanted.type);
    add(wanted.below, (row) => data.headroom[row] !== null && data.headroom[row] < +wanted.below);
    add(wanted.step, (row) => wordOf(data, row, STEP) === wanted.step);
    add(wanted.fault, (row) => wordOf(data, row, FAULT) === wanted.fault);
    if (wanted.tag !== '') {
      const tagged = data.tags.map((tags) => tags.split(',').includes(wanted.tag));
      tests.push((row, index) => tagged[data.caseTag[index]]);
    }
    if (wanted.doubt) {
      tests.push((row) => data.verdict[row] === 'p' && data.reason[row] > 0);
    }
    const text = textTest(data, wanted.text);
    if (text) {
      tests.push(text);
    }
    return tests;
  }

  // The rows that the filters let through, in the order asked for.
  function select(data, wanted) {
    const tests = makeTests(data, wanted);
    const rows = [];
    for (let row = 0; row < data.rows; row++) {
      const index = data.case[row];
      if (wanted.verdicts.includes(data.verdict[row]) && tests.every((test) => test(row, index))) {
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

  // A name that is cut in the middle where there is no room: how it begins and how it ends both tell.
  function middle(text) {
    const letters = [...text];
    return letters.length <= 24 ? el('code', {}, text)
      : el('code', { class: 'mid', title: text }, el('span', {}, letters.slice(0, -12).join('')), el('span', {}, letters.slice(-12).join('')));
  }

  function codeCell(text) {
    return el('span', { role: 'gridcell', title: text }, middle(text));
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
    for (const { oracle, what, role, field, index, operands, expected, got, count, total } of differences) {
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

  const CLASSES = ['equal', '1', '2', '3 to 4', '5 to 8', '9 to 16', '17 to 32', '33 to 64', '65 to 256', 'more than 256'];

  // Runs of letters back into cells: '.' or 'a' to 'i', and how often.
  const unpackMap = (text) => text.replace(/([.a-i])(\d*)/g, (_, letter, count) => letter.repeat(+count || 1));

  // What stands where in a map is told under it while a pointer or the arrow keys are on it.
  function watchMap(svg, caption, tell) {
    const columns = svg.viewBox.baseVal.width;
    const rows = svg.viewBox.baseVal.height;
    const still = caption.textContent;
    svg.addEventListener('pointermove', (event) => {
      const box = svg.getBoundingClientRect();
      const column = Math.min(columns - 1, Math.max(0, Math.floor((event.clientX - box.left) / box.width * columns)));
      const row = Math.min(rows - 1, Math.max(0, Math.floor((event.clientY - box.top) / box.height * rows)));
      caption.textContent = tell(row, column);
    });
    svg.addEventListener('pointerleave', () => { caption.textContent = still; });
    // The same by keyboard: arrows walk from cell to cell.
    const stage = svg.ownerSVGElement || svg;
    let at = [0, 0];
    stage.setAttribute('tabindex', '0');
    stage.addEventListener('keydown', (event) => {
      const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
      if (event.key in moves) {
        event.preventDefault();
        event.stopPropagation();
        at = [Math.min(rows - 1, Math.max(0, at[0] + moves[event.key][0])), Math.min(columns - 1, Math.max(0, at[1] + moves[event.key][1]))];
        caption.textContent = tell(at[0], at[1]);
      }
    });
    stage.addEventListener('focus', () => { caption.textContent = tell(at[0], at[1]); });
    stage.addEventListener('blur', () => { caption.textContent = still; });
  }

  // Numbers of the first and the last element along each axis, and the sizes of their dimensions.
  function putAxes(svg, shape, left, top, width, height) {
    const sizes = (shape || '').split(',').filter(Boolean).map(Number);
    if (sizes.length === 0) {
      return;
    }
    const half = Math.floor(sizes.length / 2);
    const [rows, columns] = [sizes.slice(0, half), sizes.slice(half)];
    const last = (dimensions) => dimensions.reduce((a, b) => a * b, 1) - 1;
    const text = (x, y, words, end) => {
      const element = svgElement('text', end ? { x, y, class: 'to' } : { x, y });
      element.textContent = words;
      svg.append(element);
    };
    text(left - 5, top + 9, '0', true);
    text(left, top + height + 13, '0');
    if (last(rows) > 0 && height >= 20) {
      text(left - 5, top + height, String(last(rows)), true);
    }
    if (last(columns) > 0 && width >= 20) {
      text(left + width, top + height + 13, String(last(columns)), true);
    }
    text(2, top + height + 28, `rows ${rows.join(' × ') || 1}, columns ${columns.join(' × ') || 1}`);
  }

  // The same picture as in the static part of the page: a run of cells of one class is one stroke of its path.
  function differenceMap([rows, columns, packed, role, shape, values]) {
    const map = unpackMap(packed);
    const side = Math.max(rows, columns);
    const scale = Math.max(3, Math.min(14, Math.floor(240 / side)));
    const differ = [...map].filter((c) => c !== '.').length;
    const words = `Where ${role || 'the output'} differs: ${differ} of ${rows * columns} cells`;
    const [left, top, right, below] = [44, 4, 18, 32];
    const svg = svgElement('svg', { class: 'cells', x: left, y: top, viewBox: `0 0 ${columns} ${rows}`, width: columns * scale, height: rows * scale,
      preserveAspectRatio: 'none' });
    const outer = svgElement('svg', { class: 'axes', role: 'img', 'aria-label': words, width: Math.max(220, left + columns * scale + right), height: top + rows * scale + below });
    putAxes(outer, shape, left, top, columns * scale, rows * scale);
    outer.append(svg);
    svg.append(svgElement('rect', { class: 'm0', width: columns, height: rows }));
    for (let c = 1; c <= 9; c++) {
      const letter = 'abcdefghi'[c - 1];
      let path = '';
      for (let row = 0; row < rows; row++) {
        for (const run of map.slice(row * columns, (row + 1) * columns).matchAll(new RegExp(letter + '+', 'g'))) {
          path += `M${run.index} ${row}h${run[0].length}v1h-${run[0].length}z`;
        }
      }
      if (path) {
        svg.append(svgElement('path', { class: 'm' + c, d: path }));
      }
    }
    const caption = el('figcaption', {}, words);
    watchMap(svg, caption, cellWords(rows, columns, (cell) => '.abcdefghi'.indexOf(map[cell]), shape, values));
    return el('figure', { class: 'map', 'data-rows': String(rows), 'data-columns': String(columns) }, outer, caption);
  }

  // The words for a cell: where it is, by how much it differs, and, where it is known, what was expected and what came.
  function cellWords(rows, columns, classAt, shape, values, operands) {
    const known = new Map();
    const made = (operands || '').split('\t');
    (values || '').split(' ').filter(Boolean).forEach((entry, i) => {
      const [cell, flat, expected, got] = entry.split(':');
      known.set(+cell, [flat, expected, got, made[i] || '']);
    });
    const sizes = (shape || '').split(',').filter(Boolean).map(Number);
    const place = (flat) => {
      const index = [];
      for (let d = sizes.length - 1, rest = +flat; d >= 0; d--) {
        index.unshift(rest % sizes[d]);
        rest = Math.floor(rest / sizes[d]);
      }
      return index.join(',');
    };
    return (row, column) => {
      const at = `row ${row} of ${rows}, column ${column} of ${columns}: `;
      const seen = known.get(row * columns + column);
      const kind = classAt(row * columns + column);
      return at + (kind === 0 ? 'equal' : `differs by ${CLASSES[kind]}`) + (seen ? `; [${place(seen[0])}] expected ${seen[1]}, got ${seen[2]}` +
        (seen[3] ? `, made from ${seen[3]}` : '') : '');
    };
  }

  // Maps that stand in the page already.
  function watchStaticMaps() {
    document.querySelectorAll('figure.map[data-map]').forEach((figure) => {
      const map = figure.dataset.map;
      const columns = +figure.dataset.columns;
      watchMap(figure.querySelector('svg.cells'), figure.querySelector('figcaption'),
        cellWords(map.length / columns, columns, (cell) => (map[cell] === '.' ? 0 : +map[cell]), figure.dataset.shape, figure.dataset.values,
          figure.dataset.operands));
    });
  }

  function opinionText(letter) {
    const code = letter.charCodeAt(0) - 65;
    const parts = [['recorded', Math.floor(code / 9)], ['exact', Math.floor(code / 3) % 3], ['real', code % 3]];
    return parts.filter(([, agreement]) => agreement > 0).map(([name, agreement]) => `${name} ${OPINIONS[agreement]}`).join(', ');
  }

  // The rule in the page's own list, where it is shown; else its name.
  function ruleLink(section) {
    const id = 'rule-' + section.replace(/[^A-Za-z0-9]/g, '-');
    return byId(id) ? el('a', { href: '#' + id }, section) : el('code', {}, section);
  }

  function describe(data, row, details) {
    const index = data.case[row];
    const facts = el('dl', { class: 'facts' });
    fact(facts, 'Function', el('code', {}, data.functions[data.caseFunction[index]]));
    fact(facts, 'Case', el('code', {}, `${data.files[data.caseFile[index]]}:${data.caseLine[index]}`));
    fact(facts, 'Suite', data.suites[data.caseSuite[index]]);
    fact(facts, 'Tags', data.tags[data.caseTag[index]]);
    if (details) {
      fact(facts, 'Fault', details.fault);
      fact(facts, 'Stands alone', ALONE[details.outlier]);
      if (details.expected !== details.got) {
        fact(facts, 'Status', el('span', {}, 'expected ', el('code', {}, details.expected || 'none'), ', got ', el('code', {}, details.got || 'none')));
      }
      fact(facts, 'Violated rule', details.rule && el('code', {}, details.rule));
      fact(facts, 'Diverges at', details.diverges && el('code', {}, details.diverges));
      fact(facts, 'Specification', details.section && ruleLink(details.section));
      fact(facts, 'Level', details.cpu);
      fact(facts, 'Waived by', details.waiver);
    }
    fact(facts, 'Oracles', opinionText(data.agreements[row]));
    fact(facts, 'Time', micros(data.us[row]));
    fact(facts, 'Headroom', data.headroom[row] === null ? '' : `${data.headroom[row]} bits of the accumulator`);
    fact(facts, 'Largest deviation', data.steps[row] === null ? '' : `${data.steps[row]} steps from real numbers`);
    return facts;
  }

  function shellBox(title, line) {
    const shell = el('div', { class: 'shell' }, el('p', { class: 'unseen' }, title + ':'), el('pre', {}, el('code', {}, line)));
    addCopyButton(shell);
    return shell;
  }

  // The other profiles of the case, and what became of them.
  function siblings(data, row) {
    const parts = [];
    for (const by of [-1, 1]) {
      for (let at = row + by; at >= 0 && at < data.rows && data.case[at] === data.case[row]; at += by) {
        const [name, title] = VERDICTS[data.verdict[at]];
        const chip = el('span', { class: 'profile' }, icon(name), ` ${data.profiles[data.profile[at]]}`, el('span', { class: 'unseen' }, ` ${title}`));
        parts.splice(by < 0 ? 0 : parts.length, 0, chip, ' ');
      }
    }
    return parts.length > 0 ? el('p', { class: 'small' }, 'In other profiles: ', ...parts) : '';
  }

  function resultParts(data, row) {
    const [name, title] = VERDICTS[data.verdict[row]];
    const details = detailsOf(data, row);
    const reason = reasonOf(data, row);
    const parts = [
      el('h3', { id: 'detail-title' }, el('span', { class: 'v ' + name }, icon(name), ' ' + title), el('code', {}, data.caseId[data.case[row]]),
        el('span', { class: 'profile' }, data.profiles[data.profile[row]])),
      reason ? el('p', {}, reason) : '', siblings(data, row), describe(data, row, details)];
    if (details) {
      parts.push(details.map ? differenceMap(details.map) : '', details.differences.length > 0 ? differenceTable(details.differences) : '',
        details.reproduce ? shellBox('To reproduce', details.reproduce) : '', details.explain ? shellBox('To explain', details.explain) : '');
    } else if ('few'.includes(data.verdict[row])) {
      parts.push(el('p', { class: 'quiet' }, 'Its differences are left out of this page to keep it small; the results file holds them.'));
    }
    return parts;
  }

  // Shows the list's active result; `note` is told which one, and null when none is open any more.
  function makeOpener(data, note) {
    const dialog = byId('detail');
    let current = null;
    function fill(list) {
      current = list;
      const row = list.shown[list.active];
      const button = (text, act, off) => {
        const made = el('button', off ? { type: 'button', disabled: '' } : { type: 'button' }, text);
        made.addEventListener('click', act);
        return made;
      };
      const step = (by) => () => { list.activate(list.active + by); fill(list); };
      const close = button('Close', () => dialog.close());
      dialog.replaceChildren(...resultParts(data, row), el('div', { class: 'buttons' }, button('Previous', step(-1), list.active === 0),
        button('Next', step(1), list.active === list.shown.length - 1), close));
      close.focus();
      note(row);
    }
    dialog.addEventListener('keydown', (event) => {
      const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
      if (by !== 0 && current && current.active + by >= 0 && current.active + by < current.shown.length) {
        event.preventDefault();
        current.activate(current.active + by);
        fill(current);
      }
    });
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog || event.target.closest('a[href^="#"]')) {
        dialog.close();
      }
    });
    dialog.addEventListener('close', () => {
      note(null);
      byId('rows').focus({ preventScroll: true });
    });
    return (list) => {
      if (!dialog.open) {
        dialog.showModal();
      }
      fill(list);
    };
  }

  /* ---- Filters ---- */

  function addOptions(id, names, used) {
    const options = names.map((name, i) => ({ name, i })).filter(({ i }) => !used || used.has(i));
    options.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    byId(id).append(...options.map(({ name, i }) => el('option', { value: String(i) }, name)));
  }

  const unique = (list) => [...new Set(list)].filter(Boolean).sort();

  function addWords(id, words) {
    byId(id).append(...words.map((word) => el('option', { value: word }, word)));
    byId(id).closest('p').hidden = words.length === 0;
  }

  function fillSelects(data) {
    addOptions('qf', data.functions);
    addOptions('qp', data.profiles, new Set(data.profile));
    addOptions('qs', data.suites);
    addWords('qa', unique(data.families));
    addWords('qt', unique(data.types));
    addWords('qg', unique(data.tags.flatMap((tags) => tags.split(','))));
    const kinds = (place) => unique(data.details.map((entry) => data.words[entry[place]]));
    addWords('qd', kinds(STEP));
    addWords('qc', kinds(FAULT));
  }

  /* ---- The address: section, filters, the opened result ---- */

  const FIELDS = { text: 'q', func: 'qf', profile: 'qp', suite: 'qs', family: 'qa', type: 'qt', tag: 'qg', step: 'qd', fault: 'qc', below: 'qh', order: 'qo' };
  const TABLES = { func: 'functions', profile: 'profiles', suite: 'suites' }; // numbers in the controls, names in the address

  function readAddress() {
    const [section, query] = location.hash.slice(1).split('?');
    return { section, query: query === undefined ? null : new URLSearchParams(query) };
  }

  function addressOf(data, form, row) {
    const query = new URLSearchParams();
    for (const [key, id] of Object.entries(FIELDS)) {
      const value = byId(id).value;
      if (value !== '') {
        query.set(key, TABLES[key] ? data[TABLES[key]][+value] : value);
      }
    }
    const verdicts = [...form.querySelectorAll('[name=v]:checked')].map((box) => box.value).join('');
    if (verdicts !== 'pfesw') {
      query.set('verdict', verdicts);
    }
    if (byId('qm') && byId('qm').checked) {
      query.set('doubt', '1');
    }
    if (row !== null) {
      query.set('case', data.caseId[data.case[row]]);
      query.set('in', data.profiles[data.profile[row]]);
    }
    return query.toString() === '' ? '#all' : '#all?' + query;
  }

  function setControls(data, form, query) {
    form.reset();
    for (const [key, id] of Object.entries(FIELDS)) {
      if (query.has(key)) {
        const value = query.get(key);
        byId(id).value = TABLES[key] ? String(data[TABLES[key]].indexOf(value)) : value;
      }
    }
    const verdicts = query.get('verdict');
    form.querySelectorAll('[name=v]').forEach((box) => { box.checked = verdicts === null || verdicts.includes(box.value); });
    if (byId('qm')) {
      byId('qm').checked = query.has('doubt');
    }
  }

  // What a link into the list wants to see there.
  function queryOf(data, link, square) {
    const query = new URLSearchParams();
    const { f, p, v, family, type, c } = link.dataset;
    const profile = square ? square.dataset.p : p;
    const set = (key, value) => value && query.set(key, value);
    set('func', f && data.functions[+f]);
    set('profile', profile && data.profiles[+profile]);
    set('verdict', square && !square.matches('.fail, .error') ? '' : v); // of a square that passes, all that is there
    set('family', family);
    set('type', type);
    set('fault', c);
    return query;
  }

  function makeFilters(data, list, open) {
    const form = byId('filters');
    fillSelects(data);
    form.hidden = data.rows === 0;

    function apply() {
      const wanted = { doubt: byId('qm') !== null && byId('qm').checked };
      for (const [key, id] of Object.entries(FIELDS)) {
        wanted[key] = byId(id).value;
      }
      wanted.verdicts = [...form.querySelectorAll('[name=v]:checked')].map((box) => box.value).join('');
      list.show(select(data, wanted));
      const left = data.total - data.rows;
      byId('found').textContent = `${grouped(list.shown.length)} of ${grouped(data.rows)} results` +
        (left > 0 ? `. ${grouped(left)} more are left out to keep this page small; the results file holds them.` : '');
    }

    function note(row) {
      history.replaceState(null, '', addressOf(data, form, row));
    }

    // Filters and the opened result as the address says.
    function follow() {
      const { section, query } = readAddress();
      if (section !== 'all' || query === null) {
        return;
      }
      setControls(data, form, query);
      apply();
      byId('all').scrollIntoView();
      const at = query.has('case') ? list.shown.findIndex((row) => data.caseId[data.case[row]] === query.get('case') &&
        data.profiles[data.profile[row]] === query.get('in')) : -1;
      if (at >= 0) {
        list.activate(at);
        open(list);
      }
    }

    let timer = 0;
    form.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(() => { apply(); note(null); }, 60);
    });
    form.addEventListener('submit', (event) => { event.preventDefault(); apply(); });
    form.addEventListener('reset', () => setTimeout(() => { apply(); note(null); }, 0));
    document.addEventListener('click', (event) => {
      const link = event.target.closest('a[data-f], a[data-family], a[data-c]');
      if (link) {
        event.preventDefault();
        const square = event.target.closest('g[data-p]');
        const query = queryOf(data, link, square);
        history.pushState(null, '', '#all?' + query);
        follow();
      }
    });
    addEventListener('popstate', follow);
    addEventListener('hashchange', follow);
    apply();
    follow();
    return { note };
  }

  // "/" goes to the search, "f" to the failures, "?" tells about keys.
  function addKeys() {
    const ways = { '/': () => byId('q').focus(), f: () => byId('failures') && byId('failures').scrollIntoView(), g: () => scrollTo(0, 0) };
    document.addEventListener('keydown', (event) => {
      const typing = event.target.closest('input, select, textarea, dialog');
      if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey && ways[event.key]) {
        event.preventDefault();
        ways[event.key]();
      }
    });
  }

  document.documentElement.classList.add('js');
  document.querySelectorAll('.shell').forEach(addCopyButton);
  watchStaticMaps();
  addEventListener('hashchange', openTarget);
  openTarget();
  openForPrint();
  addKeys();
  // The page is painted before the results are unpacked.
  setTimeout(() => {
    const data = load();
    let filters = null;
    const open = makeOpener(data, (row) => filters && filters.note(row));
    const list = makeList(data, open);
    filters = makeFilters(data, list, open);
  }, 0);
})();
