"use strict";
(() => {
  const element = (id) => document.getElementById(id);
  if (!element("list")) return;
  const index = JSON.parse(element("index").textContent);
  const PAGE = 100;
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const opened = new Map();
  const state = { rows: null, shown: [], selected: -1, limit: PAGE, ticket: 0 };

  const make = (tag, className, text) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  };

  // A block is opened once, when it is first looked at.
  const open = (name) => {
    if (!opened.has(name)) opened.set(name, inflate(element(name).textContent));
    return opened.get(name);
  };
  const inflate = async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };

  const fill = (select, items) => {
    const before = select.value;
    select.replaceChildren(...items.map(([value, text]) => new Option(text, value)));
    if (items.some(([value]) => value === before)) select.value = before;
  };
  const currentRun = () => index[Number(element("run").value)];
  const fillCorpora = () => {
    const names = [...new Set(currentRun().configs.map((one) => one.corpus))];
    fill(element("corpus"), names.map((name) => [name, name]));
    fillAttacks();
  };
  const fillAttacks = () => {
    const corpus = element("corpus").value;
    const configs = currentRun().configs.filter((one) => one.corpus === corpus);
    const items = configs.map((one) => [
      one.name, one.name === corpus ? "original" : one.name.slice(corpus.length + 1),
    ]);
    const isNew = !items.some(([value]) => value === element("attack").value);
    fill(element("attack"), items);
    if (isNew && items.length > 1) element("attack").value = items[1][0];
  };

  const load = async () => {
    const ticket = ++state.ticket;
    const config = currentRun().configs.find((one) => one.name === element("attack").value);
    element("count").textContent = "Opening …";
    try {
      const [originals, attacked, answers, clean] = await Promise.all([
        open(config.originals), config.attacked ? open(config.attacked) : null,
        open(config.answers), open(config.clean),
      ]);
      // Another choice may have been made while this one was opened.
      if (ticket !== state.ticket) return;
      state.rows = originals.id.map((id, n) => row(originals, attacked, answers, clean, n));
      element("search").placeholder = state.rows.some((one) => one.hasText)
        ? "words of the question, options, passage" : "part of an id: this page has no texts";
      filter();
    } catch (error) {
      if (ticket !== state.ticket) return;
      element("count").textContent = typeof DecompressionStream === "undefined"
        ? "This browser cannot open the examples: it lacks DecompressionStream."
        : `The examples cannot be opened (${error.message}): this file is damaged, or the page has a fault.`;
      clear();
    }
  };

  const clear = () => {
    state.rows = null;
    state.shown = [];
    renderList();
    select(-1);
  };

  const row = (originals, attacked, answers, clean, n) => {
    const change = attacked ? attacked.rows[n] : {};
    const hasText = originals.options !== undefined;
    const options = hasText ? originals.options[n] : null;
    const before = hasText ? originals.passages[originals.passage[n]] : null;
    return {
      id: originals.id[n], label: originals.label[n], change, hasText, options,
      passage: before, question: hasText ? originals.question[n] : null,
      newPassage: change.p === undefined ? before : attacked.passages[change.p],
      newQuestion: change.q === undefined ? (hasText ? originals.question[n] : null) : change.q,
      newOptions: hasText ? options.map((text, k) => (change.o && change.o[k] !== null ? change.o[k] : text)) : null,
      prediction: answers.prediction[n], permille: answers.permille[n],
      clean: clean.prediction[n], cleanPermille: clean.permille[n],
    };
  };

  const outcomes = {
    all: () => true,
    fooled: (one) => one.clean === one.label && one.prediction !== one.label,
    mended: (one) => one.clean !== one.label && one.prediction === one.label,
    right: (one) => one.clean === one.label && one.prediction === one.label,
    wrong: (one) => one.clean !== one.label && one.prediction !== one.label,
    changed: (one) => one.clean !== one.prediction,
  };
  const haystack = (one) => {
    if (one.haystack === undefined) {
      const texts = one.hasText
        ? [one.question, one.newQuestion, ...one.options, ...one.newOptions, one.passage, one.newPassage]
        : [];
      one.haystack = [one.id, ...texts].join("\n").toLowerCase();
    }
    return one.haystack;
  };

  const filter = () => {
    if (!state.rows) return;
    const keep = outcomes[element("outcome").value];
    const words = element("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    state.shown = state.rows.filter(
      (one) => keep(one) && words.every((word) => haystack(one).includes(word)));
    state.limit = PAGE;
    element("count").textContent = `${state.shown.length} of ${state.rows.length} questions`;
    renderList();
    select(state.shown.length ? 0 : -1);
  };

  const renderList = () => {
    const items = state.shown.slice(0, state.limit).map((one, n) => {
      const item = make("li");
      item.id = `item-${n}`;
      item.setAttribute("role", "option");
      item.append(make("span", "id", one.id));
      if (one.hasText) item.append(make("bdi", "", one.question || one.newQuestion || "(no question)"));
      item.append(verdict(one));
      item.addEventListener("click", () => select(n));
      return item;
    });
    if (state.shown.length > state.limit) {
      const more = make("li", "more", `${state.shown.length - state.limit} more: show ${PAGE}`);
      more.id = "more";
      more.setAttribute("role", "option");
      more.addEventListener("click", showMore);
      items.push(more);
    }
    element("list").replaceChildren(...items);
  };
  const showMore = () => {
    state.limit += PAGE;
    renderList();
    mark();
  };
  const verdict = (one) => {
    const word = (prediction) => (prediction === one.label ? "right" : "wrong");
    const isGood = one.prediction === one.label;
    const text = `${word(one.clean)} → ${word(one.prediction)}`;
    return make("span", `tag ${isGood ? "good" : "bad"}`, text);
  };

  const select = (n) => {
    state.selected = n;
    if (n >= state.limit) {
      state.limit = n + PAGE;
      renderList();
    }
    mark();
    renderDetail(state.shown[n]);
  };
  const mark = () => {
    const list = element("list");
    for (const item of list.querySelectorAll("[role=option]")) {
      item.setAttribute("aria-selected", String(item.id === `item-${state.selected}`));
    }
    const current = element(`item-${state.selected}`);
    list.removeAttribute("aria-activedescendant");
    if (!current) return;
    list.setAttribute("aria-activedescendant", current.id);
    // Only the list scrolls, never the page.
    const top = current.offsetTop - list.offsetTop;
    if (top < list.scrollTop) list.scrollTop = top;
    const bottom = top + current.offsetHeight - list.clientHeight;
    if (bottom > list.scrollTop) list.scrollTop = bottom;
  };
  const step = (by) => {
    const to = state.selected + by;
    if (to >= 0 && to < state.shown.length) select(to);
  };

  // Words of `after` that `before` has no more of are new.
  const marked = (before, after, spans) => {
    const node = make("p", "text");
    if (spans) {
      let done = 0;
      // Offsets count characters, JavaScript's strings count halves of some.
      const letters = Array.from(after);
      for (const [start, end] of spans) {
        node.append(letters.slice(done, start).join(""));
        node.append(make("ins", "", letters.slice(start, end).join("")));
        done = end;
      }
      node.append(letters.slice(done).join(""));
      return node;
    }
    const left = new Map();
    for (const word of before.split(/\s+/)) left.set(word, (left.get(word) || 0) + 1);
    for (const piece of after.split(/(\s+)/)) {
      const count = left.get(piece) || 0;
      if (!piece.trim() || count > 0) {
        left.set(piece, count - 1);
        node.append(piece);
      } else {
        node.append(make("ins", "", piece));
      }
    }
    return node;
  };
  const field = (name, before, after, spans, note) => {
    const parts = [make("h3", "", note ? `${name} (${note})` : name)];
    const box = make("div", name === "Passage" ? "passage" : "");
    if (name === "Passage") box.tabIndex = 0;
    if (before === after) {
      box.append(make("p", "text", after || "(empty)"));
    } else if (spans) {
      box.append(marked(before, after, spans));
    } else {
      box.append(make("p", "text", after || "(removed)"));
    }
    parts.push(box);
    if (before !== after && !spans) {
      const details = make("details");
      details.append(make("summary", "", "Before the attack"), make("p", "text", before));
      parts.push(details);
    }
    return parts;
  };

  const odds = (name, permille, className) => {
    const bar = make("span", `bar ${className}`);
    const inside = make("span");
    inside.style.width = `${permille / 10}%`;
    bar.append(inside);
    return [make("span", "", name), bar, make("span", "value", `${(permille / 10).toFixed(1)} %`)];
  };
  const renderOption = (one, k, isOriginal) => {
    const item = make("li");
    const head = make("p");
    head.append(make("strong", "", LETTERS[k]));
    if (k === one.label) head.append(make("span", "tag gold", "right answer"));
    if (k === one.clean) head.append(make("span", "tag chosen", isOriginal ? "chosen" : "chosen before"));
    if (!isOriginal && k === one.prediction) {
      head.append(make("span", `tag ${k === one.label ? "good" : "bad"}`, "chosen under attack"));
    }
    const degree = one.change.d && one.change.o && one.change.d[k];
    if (degree) head.append(make("span", "tag", `ShuffleDegree ${degree.toFixed(3)}`));
    item.append(head);
    if (one.hasText) {
      const [before, after] = [one.options[k], one.newOptions[k]];
      if (before === after) {
        item.append(make("p", "text", after || "(empty)"));
      } else {
        const old = make("p", "text");
        old.append("before: ", make("del", "", before));
        item.append(old, marked(before, after));
      }
    }
    const grid = make("div", "odds");
    grid.append(...odds(isOriginal ? "" : "before", one.cleanPermille[k], ""));
    if (!isOriginal) grid.append(...odds("attacked", one.permille[k], "attacked"));
    item.append(grid);
    return item;
  };

  const renderDetail = (one) => {
    const detail = element("detail");
    if (!one) {
      const why = state.rows ? "No question fits the filters." : "";
      detail.replaceChildren(make("p", "", why));
      return;
    }
    const name = element("attack").value;
    const isOriginal = name === element("corpus").value;
    const heading = make("h3");
    heading.append(make("bdi", "", one.id));
    heading.append(verdict(one));
    const parts = [heading];
    if (one.hasText) {
      const note = one.change.d && !one.change.o ? "shuffled" : "";
      parts.push(...field("Passage", one.passage, one.newPassage, one.change.i,
        one.change.p === undefined ? "" : note));
      parts.push(...field("Question", one.question, one.newQuestion, null,
        one.change.q === undefined ? "" : note));
    }
    const kind = currentRun().kind === "multiple-choice" ? "probability" : "softmax of the scores";
    parts.push(make("h3", "", `Options (bars: ${kind})`));
    const list = make("ol", "options");
    list.append(...one.permille.map((_, k) => renderOption(one, k, isOriginal)));
    parts.push(list);
    if (one.change.r) parts.push(make("p", "notes", `Not, or not wholly, attacked: ${one.change.r.join(", ")}.`));
    if (!isOriginal && !one.change.x) parts.push(make("p", "notes", "The attack left this row as it was."));
    detail.replaceChildren(...parts);
  };

  fill(element("run"), index.map((one, n) => [String(n), one.name]));
  fillCorpora();
  element("run").addEventListener("change", () => { fillCorpora(); load(); });
  element("corpus").addEventListener("change", () => { fillAttacks(); load(); });
  element("attack").addEventListener("change", load);
  element("outcome").addEventListener("change", filter);
  element("search").addEventListener("input", filter);
  element("filters").addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "Escape" && event.target === element("search")) event.target.blur();
    if (isTyping) return;
    const isInList = event.target === element("list");
    const moves = { j: 1, k: -1 };
    if (isInList) Object.assign(moves, { ArrowDown: 1, ArrowUp: -1 });
    if (event.key === "/") {
      event.preventDefault();
      element("search").focus();
    } else if (moves[event.key]) {
      event.preventDefault();
      step(moves[event.key]);
    } else if (isInList && (event.key === "Home" || event.key === "End")) {
      event.preventDefault();
      if (state.shown.length) select(event.key === "Home" ? 0 : state.shown.length - 1);
    }
  });
  // The tables are painted first.
  requestAnimationFrame(() => setTimeout(load, 0));
})();
