// One approval: keys, what others decide meanwhile, and a text that survives an ended session.
"use strict";
(() => {
  const decided = document.getElementById("decided");
  const open = (name) => {
    const details = document.querySelector(`[data-opens="${name}"]`);
    if (!details) return;
    details.open = true;
    const field = details.querySelector("textarea, select, input:not([type=hidden])");
    field.focus();
    if (field.setSelectionRange) field.setSelectionRange(field.value.length, field.value.length);
  };
  for (const name of ["e", "r"]) window.Triage.on(name, () => open(name));
  window.Triage.on("Escape", () => { for (const details of document.querySelectorAll("[data-opens][open]")) details.open = false; });
  for (const name of ["j", "k"]) window.Triage.on(name, () => document.querySelector(`[data-page="${name}"]`)?.click());

  // What is typed is kept in this tab alone, for this approval alone, until the next one is opened.
  const name = "typed:";
  const fields = [...document.querySelectorAll("[data-keep] textarea, [data-keep] select, [data-keep] input")];
  const mine = name + location.pathname.split("/").slice(0, 3).join("/");
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(name) && key !== mine) sessionStorage.removeItem(key);
  const kept = JSON.parse(sessionStorage.getItem(mine) ?? "{}");
  for (const field of fields) {
    if (kept[field.name] !== undefined && kept[field.name] !== field.value) {
      field.value = kept[field.name];
      field.closest("details").open = true;
    }
    field.addEventListener("input", () => sessionStorage.setItem(mine, JSON.stringify(Object.fromEntries(fields.map((one) => [one.name, one.value])))));
  }

  // What others decide is said at once; the buttons go, the text stays.
  const look = async () => {
    if (document.hidden || decided.dataset.state !== "open") return;
    const answer = await fetch(decided.dataset.ask, { redirect: "manual", headers: { "x-by-itself": "1" } }).catch(() => null);
    if (answer?.type === "opaqueredirect") {
      decided.textContent = "You are signed out. What you wrote is kept in this tab: load the page again and sign in.";
      return;
    }
    if (!answer?.ok) return;
    const now = answer.headers.get("x-approval"), words = await answer.text();
    if (words !== decided.textContent) decided.textContent = words;
    if (now === "open") return;
    decided.dataset.state = now;
    const chip = document.querySelector(".head .chip");
    [chip.className, chip.textContent] = [`chip state-${now}`, now];
    for (const button of document.querySelectorAll("[data-decide] form button")) button.disabled = true;
  };
  setInterval(look, 3000);
  document.addEventListener("visibilitychange", look);
})();
