// The keyboard, the palette and times in the reader's zone. Pages work without; nothing here is needed for reading.
"use strict";
(() => {
  const typing = (at) => at.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]");
  const items = () => [...document.querySelectorAll("[data-item]")];
  const key = new Map(); // a key, and what it does on this page

  // Others add keys: Triage.on("a", () => ...). A key with Ctrl is written "ctrl+k".
  const on = (name, act) => key.set(name, act);

  const open = (name) => {
    const dialog = document.getElementById(name);
    if (dialog && !dialog.open) { dialog.showModal(); dialog.querySelector("input[type=search]")?.select(); }
  };

  // Lists: j and k move, Enter opens, and the place is kept where a part of the page is loaded again.
  let at = null;
  const current = () => items().find((item) => item.dataset.item && item.dataset.item === at) ?? items().find((item) => item.classList.contains("at"));
  const mark = (item) => {
    current()?.classList.remove("at");
    item.classList.add("at");
    at = item.dataset.item || null;
    item.scrollIntoView({ block: "nearest" });
    item.querySelector("a, button")?.focus({ preventScroll: true });
  };

  // The list that was left: on the page of one of its lines j and k open the next ones, and it is found again at the line read last.
  const left = JSON.parse(sessionStorage.getItem("list") ?? '{"lines": []}'), read = left.lines.indexOf(location.pathname);
  const keep = (list) => sessionStorage.setItem("list", JSON.stringify(list));
  const path = (item) => item.querySelector("a[href]")?.pathname;
  const here = location.pathname + location.search, planning = location.pathname === "/inbox/plan";
  const picked = () => [...document.querySelectorAll("[data-item] .pick input:checked")].map((box) => box.value);
  if (read >= 0) {
    keep({ ...left, read: location.pathname });
    if (left.place.startsWith("/?")) document.querySelector('.crumb a[href="/"]')?.setAttribute("href", left.place);
  }
  const again = left.place === here && left.read && items().find((item) => path(item) === left.read);
  if (again) mark(again);
  // Who plans something for cases and changes nothing finds them selected as they were.
  if (planning || left.planned) keep({ ...left, planned: planning });
  if (left.planned && left.place === here) {
    for (const box of document.querySelectorAll("[data-item] .pick input")) box.checked = left.picked.includes(box.value);
    const marked = items().find((item) => item.dataset.item === left.at);
    if (marked) mark(marked);
  }
  addEventListener("pagehide", () => { if (items().length) keep({ place: here, lines: items().map(path), picked: picked(), at: current()?.dataset.item }); });

  // A form is sent once, however often somebody presses while the network is slow.
  let sent = false;
  const unsent = () => { sent = false; document.querySelector("button[aria-busy]")?.removeAttribute("aria-busy"); };
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || event.target.method !== "post") return;
    if (sent) { event.preventDefault(); return; }
    sent = true;
    event.submitter?.setAttribute("aria-busy", "true");
    if (planning) keep({ ...left, planned: false });
    setTimeout(unsent, 15_000); // whoever has stopped the browser may send it again
  });
  addEventListener("pageshow", unsent);

  // Who writes beside a choice has chosen it.
  document.addEventListener("input", (event) => {
    const choice = event.target.closest("label")?.querySelector("input[type=radio]");
    if (choice) choice.checked = true;
  });

  // A changed text is left with a question; what `data-keep` has is found again by itself.
  const unsaved = () => [...document.querySelectorAll("main form[method=post]:not([hx-post]) textarea")].some((field) => field.value !== field.defaultValue && !field.closest("[data-keep]"));
  addEventListener("beforeunload", (event) => { if (!sent && unsaved()) event.preventDefault(); });

  const move = (by) => {
    const all = items(), was = current();
    if (all.length) mark(all[Math.min(all.length - 1, Math.max(0, was ? all.indexOf(was) + by : 0))]);
    else if (read >= 0 && left.lines[read + by]) location.href = left.lines[read + by];
  };
  on("j", () => move(1));
  on("k", () => move(-1));
  on("/", () => { const field = document.querySelector("[data-search], input[type=search]:not(dialog *)"); if (field) field.focus(); else open("palette"); });
  on("?", () => open("keys"));
  on("ctrl+k", () => open("palette"));
  // What a page offers by data-key="a": the button or link is pressed, that of the marked item first.
  const offered = (name) => (current()?.querySelector(`[data-key="${CSS.escape(name)}"]`) ?? document.querySelector(`[data-key="${CSS.escape(name)}"]`));

  let go = 0; // g was pressed; the next key is a page's
  document.addEventListener("keydown", (event) => {
    const name = (event.ctrlKey || event.metaKey ? "ctrl+" : "") + event.key;
    if (name === "ctrl+k") { event.preventDefault(); open("palette"); return; }
    if (name === "ctrl+Enter" && event.target.closest("form")) { event.preventDefault(); event.target.closest("form").requestSubmit(); return; }
    const shown = document.querySelector("dialog[open]"); // a browser would only empty its search field first
    if (event.key === "Escape" && shown) { event.preventDefault(); shown.close(); if (shown.contains(document.activeElement)) document.activeElement.blur(); return; }
    if (event.key === "Escape" && typing(event.target)) { event.target.blur(); return; }
    const act = key.get(name);
    if (typing(event.target) || event.altKey || shown || ((event.ctrlKey || event.metaKey) && !act)) return;
    if (go && Date.now() - go < 1500) {
      go = 0;
      const link = document.querySelector(`[data-go="${CSS.escape(event.key)}"]`);
      if (link) { event.preventDefault(); link.click(); return; }
    }
    if (event.key === "g") { go = Date.now(); return; }
    if (act) { event.preventDefault(); act(event); return; }
    const target = offered(event.key);
    if (target && !target.disabled) { event.preventDefault(); target.focus(); target.click(); }
  });

  // The palette: pages by name, everything else is searched for.
  const palette = document.getElementById("palette");
  if (palette) {
    const field = palette.querySelector("input[type=search]"), list = palette.querySelector("ul");
    const pages = [...document.querySelectorAll("[data-go]")].map((link) => [link.querySelector("span").textContent.trim(), link.href, `g ${link.dataset.go}`]);
    pages.push(...[...palette.querySelectorAll("data")].map((part) => [part.textContent, part.value, ""]));
    let chosen = -1;
    const show = () => {
      const words = field.value.trim();
      const fit = pages.filter(([name]) => name.toLowerCase().includes(words.toLowerCase()));
      if (words) fit.push([`${/^\w+-\d+$/.test(words) ? "Go to" : "Search for"} ${words}`, "", fit.length ? "" : "Enter"]);
      chosen = Math.min(chosen, fit.length - 1);
      list.replaceChildren(...fit.map(([name, href, keys], number) => {
        const line = document.createElement("li");
        const hint = document.createElement("kbd");
        hint.textContent = keys;
        hint.ariaHidden = "true";
        line.id = `palette-line-${number}`;
        line.append(name, ...(keys ? [hint] : []));
        line.role = "option";
        line.ariaSelected = String(number === chosen);
        line.dataset.href = href;
        return line;
      }));
      if (chosen < 0) field.removeAttribute("aria-activedescendant");
      else field.setAttribute("aria-activedescendant", list.children[chosen].id);
      list.children[chosen]?.scrollIntoView({ block: "nearest" });
    };
    field.addEventListener("input", () => { chosen = field.value ? 0 : -1; show(); });
    field.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); chosen = Math.max(-1, chosen + (event.key === "ArrowDown" ? 1 : -1)); show(); }
      const href = event.key === "Enter" && list.children[chosen]?.dataset.href;
      if (href) { event.preventDefault(); location.href = href; }
    });
    list.addEventListener("click", (event) => { const line = event.target.closest("li"); if (line?.dataset.href) location.href = line.dataset.href; else if (line) field.form.requestSubmit(); });
    show();
  }
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-open]");
    if (opener) open(opener.dataset.open);
    const question = event.target.closest("[data-ask]");
    if (question && !window.confirm(question.dataset.ask)) { event.preventDefault(); event.stopImmediatePropagation(); }
  }, true);

  // Times as the reader lives: the hour of today, the date of other days; the whole on the pointer.
  const local = (root) => {
    for (const time of root.querySelectorAll("time[datetime]:not([title])")) {
      const when = new Date(time.dateTime);
      time.title = when.toLocaleString();
      const now = new Date(), hour = when.toLocaleTimeString(undefined, { timeStyle: "short" });
      const day = { month: "short", day: "numeric", ...(when.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }) };
      time.textContent = when.toDateString() === now.toDateString() ? hour : `${when.toLocaleDateString(undefined, day)}, ${hour}`;
    }
  };
  document.addEventListener("DOMContentLoaded", () => local(document));
  document.addEventListener("htmx:load", () => { local(document); current()?.classList.add("at"); }); // what is swapped away hears no other event

  // A part that looks again by itself keeps no session awake.
  document.addEventListener("htmx:configRequest", (event) => { if (!event.detail.triggeringEvent) event.detail.headers["x-by-itself"] = "1"; });
  document.querySelector(".bar nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

  // Numbers beside entries of the menu; a session that has ended leaves them as they are.
  const counted = async () => {
    for (const place of document.hidden ? [] : document.querySelectorAll("[data-count]")) {
      const answer = await fetch(place.dataset.count, { redirect: "manual", headers: { "x-by-itself": "1" } }).catch(() => null);
      if (answer?.ok) place.textContent = await answer.text();
    }
  };
  counted();
  setInterval(counted, 20_000);

  window.Triage = { on, open, current, items, move, local };
})();
