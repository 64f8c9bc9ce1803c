// Times that run down, and parts that look again by themselves.
"use strict";
(() => {
  const places = [...document.querySelectorAll("time[data-until]")];
  const remaining = (seconds) => (seconds >= 90 ? `in ${Math.round(seconds / 60)} min` : seconds > 0 ? `in ${seconds} s` : "now");
  const tick = () => {
    for (const place of places) {
      const left = Math.ceil((new Date(place.dateTime) - Date.now()) / 1000);
      place.textContent = remaining(left);
      if (left === -2 && !document.querySelector("dialog[open]")) location.reload();
    }
  };
  if (places.length) { tick(); setInterval(tick, 1000); }
})();
