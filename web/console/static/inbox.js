// The inbox: selection and its keys, threads that unfold, and what changes while somebody reads. Reading works without.
"use strict";
(() => {
  const inbox = () => document.getElementById("inbox");
  const list = () => document.querySelector("#inbox [data-list]");
  const line = (number) => document.querySelector(`#inbox [data-item="${CSS.escape(number)}"]`);
  document.cookie = `triage_zone=${Intl.DateTimeFormat().resolvedOptions().timeZone}; path=/; max-age=31536000; samesite=strict${location.protocol === "https:" ? "; secure" : ""}`;
  if (!inbox()) return;

  // --- selecting, and what is done with the selected ones, or with the marked one
  const box = (item) => item?.querySelector(".pick input");
  const selected = () => [...document.querySelectorAll("#inbox .pick input:checked")];
  const count = () => {
    const chosen = document.querySelector(".bulk .chosen"), n = selected().length;
    if (chosen) chosen.textContent = n ? `${n} selected` : "";
  };
  const select = (items, on = true) => {
    for (const one of items.map(box)) if (one) one.checked = on;
    count();
  };
  const all = () => select(Triage.items().slice(0, 100)); // as many as the server takes at once
  let last = null; // the box that was clicked last: Shift selects from there
  document.addEventListener("click", (event) => {
    const one = event.target.closest?.(".pick input"), item = one?.closest("[data-item]"), items = Triage.items();
    if (!item) return;
    if (event.shiftKey && items.includes(last)) {
      const [from, to] = [items.indexOf(last), items.indexOf(item)].sort((a, b) => a - b);
      select(items.slice(from, to + 1), one.checked);
    }
    last = item;
  });
  const wish = (name) => {
    const numbers = selected().map((one) => one.value), at = Triage.current()?.dataset.item;
    if (!numbers.length && at) numbers.push(at);
    if (!numbers.length || !document.getElementById("bulk")) return;
    const asked = new URLSearchParams([["wish", name], ...numbers.map((number) => ["case", number]), ["back", location.pathname + location.search]]);
    location.href = `/inbox/plan?${asked}`;
  };
  document.addEventListener("change", (event) => { if (event.target.closest(".pick")) count(); });
  Triage.on("x", () => { const at = Triage.current(); if (at) select([at], !box(at)?.checked); });
  const step = (by) => { select([Triage.current()]); Triage.move(by); select([Triage.current()]); };
  Triage.on("J", () => step(1));
  Triage.on("K", () => step(-1));
  Triage.on("ctrl+a", all);
  Triage.on("Escape", () => select(Triage.items(), false));
  document.querySelector("[data-select-all]")?.addEventListener("click", all);
  for (const button of document.querySelectorAll("[data-wish]")) Triage.on(button.dataset.wish, () => wish(button.value));
  count();

  // --- threads: unfolded below their line, folded again
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-unfold]");
    if (!opener) return;
    const open = opener.getAttribute("aria-expanded") === "true";
    opener.setAttribute("aria-expanded", String(!open));
    if (!open) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    for (const mate of document.querySelectorAll(`[data-of="${CSS.escape(opener.dataset.unfold)}"]`)) mate.remove();
  }, true);

  // --- live: lines change where they stand; new ones wait for a reader who is in the middle of the list
  const news = document.getElementById("news"), broken = document.getElementById("broken");
  if (!news || !("EventSource" in window)) return;
  const facts = inbox().dataset, waiting = new Map(), button = news.querySelector("button");
  let outdated = ""; // says why the list has to be loaded again as a whole
  const say = (words) => { broken.textContent = words; broken.hidden = !words; };
  const made = (html) => {
    const frame = document.createElement("template");
    frame.innerHTML = html;
    const item = frame.content.firstElementChild;
    Triage.local(item);
    window.htmx?.process(item);
    return item;
  };
  const fits = (one) => !("query" in facts) && !("older" in facts) && (facts.tab === "all" || facts.tab === one.state || (facts.tab === "needs" && one.needs) || (facts.tab === "snoozed" && one.snoozed));
  const reading = () => scrollY > 60 || Triage.current() || selected().length || document.querySelector("dialog[open]");
  const replace = (old, one) => { // in place: its thread may be unfolding below the line
    const item = made(one.html), opener = item.querySelector("[data-unfold]"), focus = old.contains(document.activeElement);
    if (box(old)?.checked && box(item)) box(item).checked = true;
    if (old.dataset.of) opener?.remove();
    else opener?.setAttribute("aria-expanded", old.querySelector("[data-unfold]")?.getAttribute("aria-expanded") ?? "false");
    old.dataset.state = item.dataset.state;
    old.toggleAttribute("data-needs", "needs" in item.dataset);
    old.classList.toggle("past", facts.tab === "needs" && !one.needs);
    old.replaceChildren(...item.childNodes);
    if (focus) old.querySelector(".open")?.focus({ preventScroll: true });
  };
  const insert = (one) => {
    if (facts.tab !== "needs" && one.thread) document.querySelector(`#inbox [data-thread="${CSS.escape(one.thread)}"]:not(.mate)`)?.remove();
    const item = made(one.html);
    item.classList.add("fresh");
    list().hidden = false;
    document.querySelector("#inbox .empty")?.remove();
    list().prepend(item);
    while (list().children.length > 150) list().lastElementChild.remove();
  };
  const show = () => {
    for (const one of [...waiting.values()].sort((a, b) => a.case - b.case)) insert(one);
    waiting.clear();
    news.hidden = true;
  };
  button.addEventListener("click", () => { if (outdated) { location.reload(); return; } show(); scrollTo({ top: 0 }); });
  const announce = () => {
    if (waiting.size && "query" in facts) outdated ||= "Mail has come since: search again";
    if (waiting.size && !outdated && !reading()) { show(); return; }
    button.textContent = outdated || `${waiting.size} new`;
    news.hidden = !outdated && !waiting.size;
  };
  let since = 0;
  const afresh = () => { // everybody comes back at once after a stop of the service: not in the same moment
    clearTimeout(since);
    since = setTimeout(() => {
      if (!reading()) { location.reload(); return; }
      outdated = "The list has changed: load it again";
      announce();
    }, 300 + Math.random() * 1500);
  };
  const changed = (message) => {
    if (message.many) { afresh(); return; }
    for (const one of message.cases) {
      const old = line(one.case);
      if (old) replace(old, one);
      else if ("query" in facts || fits(one)) waiting.set(one.case, one);
      else waiting.delete(one.case);
    }
    announce();
    count();
  };
  const source = new EventSource(`/live?pulse=${encodeURIComponent(facts.pulse)}`);
  source.addEventListener("changed", (event) => { say(""); changed(JSON.parse(event.data)); });
  source.addEventListener("counts", (event) => {
    const counts = JSON.parse(event.data);
    for (const tab of document.querySelectorAll("[data-tally]")) if (tab.dataset.tally in counts && tab.querySelector(".count")) tab.querySelector(".count").textContent = counts[tab.dataset.tally].toLocaleString("en");
  });
  source.addEventListener("down", () => say("The store does not answer. Mail is not lost; this list goes on by itself when it is back."));
  source.addEventListener("stale", () => { say(""); afresh(); });
  let lost = 0;
  source.addEventListener("open", () => { clearTimeout(lost); lost = 0; say(""); });
  source.addEventListener("error", () => { lost ||= setTimeout(() => say(source.readyState === EventSource.CLOSED ? "This page is no longer live: load it again." : "Triage does not answer. This page tries again by itself."), 4000); });
  addEventListener("pagehide", () => source.close());
})();
