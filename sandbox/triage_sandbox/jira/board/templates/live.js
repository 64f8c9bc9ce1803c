"use strict";
// The server renders; this fetches the same page again when something has changed and swaps the inside.
const live = document.getElementById("live");
const state = document.getElementById("state");
const stamps = (root) => new Map([...root.querySelectorAll("[data-key]")].map((card) => [card.dataset.key, card.dataset.stamp]));
let busy = false;

async function refresh() {
  const answer = await fetch(location.href, { headers: { "x-part": "live" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("live");
  if (!fresh) return;
  const before = stamps(live);
  for (const card of fresh.querySelectorAll("[data-key]")) {
    if (before.get(card.dataset.key) !== card.dataset.stamp) card.classList.add("changed");
  }
  live.replaceChildren(...fresh.childNodes);
  live.dataset.changes = fresh.dataset.changes;
}

async function follow(changes) {
  wanted = changes;
  if (busy) return;
  busy = true;
  try {
    while (String(wanted) !== live.dataset.changes) {
      await refresh();
      await new Promise((done) => setTimeout(done, 300));
    }
  } finally {
    busy = false;
  }
}

let wanted = live.dataset.changes;
let events = null;
const show = (word, on) => { state.textContent = word; state.classList.toggle("on", on); };

function listen() {
  events = new EventSource(`${document.body.dataset.root}/events`);
  events.onopen = () => show("live", true);
  events.onerror = () => show("waiting for the server", false);
  events.onmessage = (event) => follow(event.data);
}

// A browser keeps six connections to one host: a tab that nobody looks at must not hold one.
function settle() {
  if (document.visibilityState === "visible" && events === null) listen();
  if (document.visibilityState === "hidden" && events !== null) hush();
}

function hush() {
  events?.close();
  events = null;
}

document.addEventListener("visibilitychange", settle);
addEventListener("pagehide", hush);
addEventListener("pageshow", settle);
for (const choice of document.querySelectorAll("select")) choice.addEventListener("change", (event) => event.target.form.submit());
