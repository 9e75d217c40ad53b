// Makes the curves of a report live. All numbers come from its tables, so they are what they say.
(() => {
  'use strict';
  const form = document.getElementById('controls');
  const figures = [...document.querySelectorAll('figure.chart')];
  if (!form || !window.uPlot || figures.length === 0) return;

  const number = (text) => (text === '' ? null : Number(text));
  const runs = [...document.querySelectorAll('table[data-run]')].map((table) => {
    const keys = [...table.tHead.rows[0].cells].map((cell) => cell.dataset.key);
    const columns = {};
    keys.forEach((key, k) => {
      if (key) columns[key] = [...table.tBodies[0].rows].map((row) => number(row.cells[k].textContent.trim()));
    });
    return {group: Number(table.dataset.group), columns};
  });
  const items = [...document.querySelectorAll('#legend li')];
  const names = items.map((item) => item.querySelector('span').textContent);
  const shown = names.map(() => true);
  const metrics = [...new Set(runs.flatMap((run) => Object.keys(run.columns)))].filter((key) => key.startsWith('test:'));
  const words = {passes: 'effective passes', calls: 'oracle calls', seconds: 'seconds'};
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const short = (value) => (value === null || value === undefined ? '-' : String(Number(value.toPrecision(4))));
  const key = 'gapwise ' + document.title;

  // Lowest, median and highest of what each run had last seen, wherever one was measured.
  function band(steps) {
    steps = steps.filter((run) => run.length > 0);
    if (steps.length === 0) return null;
    const begin = Math.max(...steps.map((run) => run[0][0]));
    const x = [...new Set([begin, ...steps.flat().map((step) => step[0]).filter((at) => at >= begin)])].sort((a, b) => a - b);
    const next = steps.map(() => 0);
    const last = steps.map(() => 0);
    const low = [], middle = [], high = [];
    for (const at of x) {
      steps.forEach((run, k) => {
        while (next[k] < run.length && run[next[k]][0] <= at) last[k] = run[next[k]++][1];
      });
      const sorted = [...last].sort((a, b) => a - b);
      const half = sorted.length >> 1;
      low.push(sorted[0]);
      middle.push(sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2);
      high.push(sorted[sorted.length - 1]);
    }
    return [x, low, middle, high];
  }

  function choice(name) {
    return new FormData(form).get(name);
  }

  class Live {
    constructor(figure) {
      this.figure = figure;
      this.keys = figure.dataset.keys.split(' ');
      this.label = figure.dataset.title;
      this.place = document.createElement('div');
      this.place.className = 'live';
      this.place.tabIndex = 0;
      this.place.setAttribute('role', 'img');
      this.place.setAttribute('aria-label', figure.querySelector('svg').getAttribute('aria-label'));
      this.readout = document.createElement('p');
      this.readout.className = 'readout';
      const still = figure.querySelector('.still');
      still.before(this.place, this.readout);
      if (this.keys[0].startsWith('test:') && metrics.length > 1) this.offer(still);
      figure.classList.add('has-live');
      this.place.addEventListener('keydown', (event) => this.press(event));
      new ResizeObserver(() => this.plot && this.plot.setSize(this.size())).observe(this.place);
    }

    offer(still) {
      const label = document.createElement('label');
      const select = document.createElement('select');
      for (const metric of metrics) select.add(new Option(metric.slice(5), metric, false, metric === this.keys[0]));
      select.addEventListener('change', () => {
        this.keys = [select.value];
        this.label = 'test ' + select.value.slice(5);
        this.draw();
      });
      label.append('Figure: ', select);
      still.before(label);
    }

    size() {
      return {width: Math.max(200, this.place.clientWidth), height: window.innerWidth < 600 ? 240 : 320};
    }

    draw() {
      const over = choice('x');
      const logX = choice('xscale') === 'log';
      const logY = choice('yscale') === 'own' ? this.figure.dataset.log === '1' : choice('yscale') === 'log';
      const good = (x, y) => x !== null && y !== null && (!logX || x > 0) && (!logY || y > 0);
      const tables = [];
      const series = [{label: words[over]}];
      const bands = [];
      this.lines = [];
      this.keys.forEach((wanted, dashed) => {
        names.forEach((name, group) => {
          if (!shown[group]) return;
          const steps = runs.filter((run) => run.group === group).map((run) => {
            const ys = run.columns[wanted] || [];
            return run.columns[over].map((x, k) => [x, ys[k] ?? null]).filter(([x, y]) => good(x, y));
          });
          const table = band(steps);
          if (!table) return;
          tables.push(table);
          const stroke = () => colour('--s' + (group % 8));
          const paths = uPlot.paths.stepped({align: 1});
          const edge = {stroke: 'transparent', width: 0, paths, spanGaps: true, points: {show: false}};
          const at = series.length;
          const dash = dashed ? [7, 5] : group >= 8 ? [2, 4] : undefined;
          series.push(edge, {stroke, width: 2, dash, paths, spanGaps: true, points: {show: table[0].length < 2}}, {...edge});
          bands.push({series: [at + 2, at], fill: () => stroke() + '2e'});
          this.lines.push({at: at + 1, name: this.keys.length > 1 ? name + ' ' + wanted : name});
        });
      });
      if (this.plot) this.plot.destroy();
      this.plot = null;
      this.readout.textContent = '';
      if (tables.length === 0) {
        this.readout.textContent = 'Nothing of this was measured.';
        return;
      }
      const axis = {stroke: () => colour('--ink'), grid: {stroke: () => colour('--grid'), width: 1}, ticks: {stroke: () => colour('--line'), width: 1}};
      const values = (u, splits) => splits.map((split) => (split === null ? '' : short(split)));
      this.plot = new uPlot({
        ...this.size(),
        legend: {show: false},
        scales: {x: {time: false, distr: logX ? 3 : 1}, y: {distr: logY ? 3 : 1}},
        axes: [{...axis, label: words[over], values}, {...axis, label: this.label, size: 70, values}],
        cursor: {drag: {x: true, y: false}},
        series, bands,
        hooks: {setCursor: [(u) => this.read(u)]},
      }, uPlot.join(tables), this.place);
    }

    read(plot) {
      const at = plot.cursor.idx;
      if (at === null || at === undefined) {
        this.readout.textContent = '';
        return;
      }
      const known = (values) => {
        for (let k = at; k >= 0; --k) if (values[k] !== null && values[k] !== undefined) return values[k];
        return null;
      };
      const parts = this.lines.map((line) => {
        const [low, middle, high] = [-1, 0, 1].map((k) => known(plot.data[line.at + k]));
        return line.name + ' ' + short(middle) + (low === high ? '' : ' (' + short(low) + ' to ' + short(high) + ')');
      });
      this.readout.textContent = short(plot.data[0][at]) + ' ' + words[choice('x')] + ': ' + parts.join(', ');
    }

    press(event) {
      if (!this.plot) return;
      const xs = this.plot.data[0];
      if (event.key === 'Escape') {
        this.draw();
      } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
        const by = event.key === 'ArrowLeft' ? -1 : 1;
        const from = this.plot.cursor.idx ?? (by > 0 ? -1 : xs.length);
        const at = Math.min(xs.length - 1, Math.max(0, from + by));
        this.plot.setCursor({left: this.plot.valToPos(xs[at], 'x'), top: 10});
        event.preventDefault();
      }
    }
  }

  function keep() {
    try {
      sessionStorage.setItem(key, JSON.stringify([...new FormData(form).entries()]));
    } catch (error) { /* a page from disk may have no storage */ }
  }
  function restore() {
    try {
      for (const [name, value] of JSON.parse(sessionStorage.getItem(key) || '[]')) form.elements[name].value = value;
    } catch (error) { /* as above */ }
  }

  const hasSeconds = runs.some((run) => (run.columns.seconds || []).some((value) => value !== null));
  form.querySelector('input[value=seconds]').disabled = !hasSeconds;
  restore();
  const live = figures.map((figure) => new Live(figure));
  const redraw = () => live.forEach((chart) => chart.draw());
  items.forEach((item, group) => {
    if (items.length < 2) return;
    const label = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = true;
    box.addEventListener('change', () => {
      shown[group] = box.checked;
      redraw();
    });
    label.append(box, ...item.childNodes);
    item.append(label);
  });
  form.hidden = false;
  form.addEventListener('change', () => {
    keep();
    redraw();
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  redraw();
})();
