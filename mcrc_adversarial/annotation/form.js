"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const sheet = JSON.parse($("sheet").textContent);
  const KEY = `mcrc-annotate ${sheet.export} ${sheet.annotator}`;
  const UNANSWERABLE = "unanswerable";
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const empty = () => ({ answer: "", types: [], seconds: 0, comment: "" });

  const kept = load();
  const answers = kept.answers;
  let at = Math.min(Math.max(kept.at, 0), sheet.items.length - 1);
  let since = null;

  // Only what this very sheet can hold is taken from the browser's storage.
  function load() {
    const found = { at: 0, answers: {} };
    let stored = {};
    try {
      stored = JSON.parse(localStorage.getItem(KEY)) || {};
    } catch (error) {
      warn(`Answers kept by this browser cannot be read (${error.message}).`);
    }
    for (const { item, options } of sheet.items) {
      const one = { ...empty(), ...((stored.answers || {})[item] || {}) };
      const allowed = [...LETTERS.slice(0, options.length), UNANSWERABLE];
      if (!allowed.includes(one.answer)) one.answer = "";
      found.answers[item] = one;
    }
    if (Number.isInteger(stored.at)) found.at = stored.at;
    return found;
  }

  function keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify({ at, answers }));
    } catch (error) {
      warn(`This browser keeps no answers (${error.message}): save before you close the page.`);
      window.onbeforeunload = (event) => event.preventDefault();
    }
  }

  function warn(text) {
    $("warning").textContent = text;
    $("warning").hidden = false;
  }

  const current = () => answers[sheet.items[at].item];

  // Time counts while the item is on the screen and the page is in front.
  function clock() {
    const now = performance.now();
    if (since !== null) current().seconds += (now - since) / 1000;
    since = document.visibilityState === "visible" ? now : null;
  }

  function choice(letter, text, value, answer) {
    const label = document.createElement("label");
    label.className = value === UNANSWERABLE ? "choice unanswerable" : "choice";
    const input = document.createElement("input");
    Object.assign(input, { type: "radio", name: "answer", value, checked: value === answer });
    const key = document.createElement("kbd");
    key.textContent = letter;
    const span = document.createElement("span");
    span.className = "text";
    span.dir = "auto";
    span.textContent = text;
    label.append(input, key, span);
    return label;
  }

  function show(focus) {
    const { item, passage, question, options } = sheet.items[at];
    const one = current();
    $("heading").textContent = `Text of ${item}`;
    $("passage").textContent = passage || "(no text)";
    $("passage").scrollTop = 0;
    $("question").textContent = question || "(no question)";
    $("options").replaceChildren(
      ...options.map((text, index) => choice(LETTERS[index], text, LETTERS[index], one.answer)),
      choice("0", "unanswerable: no option is right, several are, or the text does not say", UNANSWERABLE, one.answer),
    );
    for (const box of boxes()) box.checked = one.types.includes(box.value);
    $("comment").value = one.comment;
    $("back").disabled = at === 0;
    $("next").disabled = at === sheet.items.length - 1;
    progress();
    if (focus) {
      $("heading").focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
  }

  const boxes = () => document.querySelectorAll("#types input");

  function progress() {
    const total = sheet.items.length;
    const done = sheet.items.filter(({ item }) => answers[item].answer).length;
    Object.assign($("bar"), { max: total, value: done });
    $("count").textContent = `${done} of ${total} answered`;
    $("unanswered").disabled = done === total;
    $("jump").replaceChildren(
      ...sheet.items.map(({ item }, index) => {
        const option = new Option(answers[item].answer ? `${item} \u2713` : item, String(index));
        option.selected = index === at;
        return option;
      }),
    );
  }

  function go(index) {
    if (index < 0 || index >= sheet.items.length) return;
    clock();
    at = index;
    keep();
    show(true);
  }

  function goUnanswered() {
    const total = sheet.items.length;
    for (let step = 1; step <= total; step += 1) {
      const index = (at + step) % total;
      if (!answers[sheet.items[index].item].answer) return go(index);
    }
  }

  function read() {
    clock();
    const checked = document.querySelector("input[name=answer]:checked");
    current().answer = checked ? checked.value : "";
    current().types = [...boxes()].filter((box) => box.checked).map((box) => box.value);
    current().comment = $("comment").value;
    keep();
    progress();
  }

  // A spreadsheet would run a cell that begins like a formula.
  const harmless = (text) => (/^[=+\-@\t\r\n']/.test(text) ? `'${text}` : text);
  const cell = (text) => `"${harmless(text).replaceAll('"', '""')}"`;

  function csv() {
    const heading = ["export", "annotator", "item", "answer", "types", "seconds", "comment"];
    const lines = sheet.items.map(({ item }) => {
      const { answer, types, seconds, comment } = answers[item];
      const time = answer && seconds ? String(Math.round(seconds * 10) / 10) : "";
      return [sheet.export, sheet.annotator, item, answer, types.join("; "), time, comment];
    });
    return [heading, ...lines].map((line) => line.map(cell).join(",") + "\r\n").join("");
  }

  function save() {
    clock();
    keep();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff", csv()], { type: "text/csv;charset=utf-8" }));
    link.download = `answers-${sheet.annotator}-${sheet.export}.csv`;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  function press(input) {
    if (!input) return false;
    input.click();
    return true;
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const inside = event.target.tagName;
    if (inside === "TEXTAREA" || inside === "SELECT") {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    let done = false;
    if (event.key === "Enter") {
      if (inside === "BUTTON" || inside === "SUMMARY") return;
      go(at + (event.shiftKey ? -1 : 1));
      done = true;
    } else if (event.key === "0") {
      done = press(document.querySelector(`input[value=${UNANSWERABLE}]`));
    } else if (/^[1-9]$/.test(event.key)) {
      done = press(boxes()[Number(event.key) - 1]);
    } else if (/^[a-z]$/i.test(event.key)) {
      done = press(document.querySelector(`input[name=answer][value=${event.key.toUpperCase()}]`));
    }
    if (done) event.preventDefault();
  }

  if (!sheet.items.length) return;
  $("form").addEventListener("input", read);
  $("form").addEventListener("submit", (event) => event.preventDefault());
  $("back").addEventListener("click", () => go(at - 1));
  $("next").addEventListener("click", () => go(at + 1));
  $("unanswered").addEventListener("click", goUnanswered);
  $("save").addEventListener("click", save);
  $("jump").addEventListener("change", () => go(Number($("jump").value)));
  document.addEventListener("keydown", onKey);
  document.addEventListener("visibilitychange", () => {
    clock();
    keep();
  });
  show(false);
  clock();
  $("help").open = !sheet.items.some(({ item }) => answers[item].answer);
})();
