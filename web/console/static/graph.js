// Draws the graph whose places the server has computed; a click asks for the page of a node, and only its list is changed.
"use strict";
(() => {
  const canvas = document.getElementById("graph");
  if (!canvas) return;
  const pen = canvas.getContext("2d");
  const style = getComputedStyle(canvas);
  let nodes = [], edges = [], near = new Map(), chosen = -1, turn = 0;
  let view = { x: 0, y: 0, scale: 1 };
  let waiting = false;
  let middle = { x: 0, y: 0 }; // of the canvas, which is asked for its size once a picture: each question costs a layout

  // As a property of an element: the variable itself holds both colours, that of the light and that of the dark.
  const colour = (name) => { canvas.style.color = `var(${name})`; return style.color; };
  const colours = () => ({ kinds: ["--k0", "--k1", "--k2", "--k3"].map(colour), edge: colour("--k3"), text: colour("--text"), card: colour("--card"), accent: colour("--accent") });
  // Few lines are seen one by one; many would hide what they connect, above all the lines of the chosen node.
  const faint = () => Math.max(0.08, Math.min(0.55, Math.sqrt(60 / edges.length))) * (chosen >= 0 ? 0.6 : 1);
  const size = (node) => Math.min(11, 3 + Math.sqrt(node[5]));
  const grown = () => Math.min(1.6, Math.max(0.45, view.scale));
  const screenX = (x) => (x - view.x) * view.scale + middle.x;
  const screenY = (y) => (y - view.y) * view.scale + middle.y;

  function draw() {
    waiting = false;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    middle = { x: width / 2, y: height / 2 };
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) { canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio); }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const paint = colours();
    pen.strokeStyle = paint.edge;
    pen.globalAlpha = faint();
    pen.lineWidth = 1;
    pen.beginPath();
    for (const [from, to] of edges) { pen.moveTo(screenX(nodes[from][3]), screenY(nodes[from][4])); pen.lineTo(screenX(nodes[to][3]), screenY(nodes[to][4])); }
    pen.stroke();
    pen.globalAlpha = 1;
    const beside = chosen >= 0 ? near.get(chosen) ?? [] : [];
    if (chosen >= 0) {
      pen.strokeStyle = paint.accent;
      pen.lineWidth = 1.6;
      pen.beginPath();
      for (const other of beside) { pen.moveTo(screenX(nodes[chosen][3]), screenY(nodes[chosen][4])); pen.lineTo(screenX(nodes[other][3]), screenY(nodes[other][4])); }
      pen.stroke();
    }
    const grow = grown();
    for (let kind = 0; kind < 4; kind += 1) {
      pen.fillStyle = paint.kinds[kind];
      pen.beginPath();
      for (const node of nodes) {
        if (node[1] !== kind) continue;
        const [x, y, radius] = [screenX(node[3]), screenY(node[4]), size(node) * grow];
        if (x < -20 || y < -20 || x > width + 20 || y > height + 20) continue;
        pen.moveTo(x + radius, y);
        pen.arc(x, y, radius, 0, 2 * Math.PI);
      }
      pen.fill();
    }
    label(paint, beside, width, height);
  }

  // The beginning of a name that fits into this many pixels; empty where that would say nothing.
  function fitted(name, room) {
    let text = name.length > 34 ? `${name.slice(0, 33)}…` : name;
    while (text.length > 5 && pen.measureText(text).width > room) text = `${text.slice(0, -2)}…`;
    return pen.measureText(text).width > room ? "" : text;
  }

  // Where the name of a node may stand: right or left of it, first where more of it fits.
  function places(node, width, height) {
    const [x, y, away] = [screenX(node[3]), screenY(node[4]) + 4, size(node) * grown() + 5];
    if (x < 0 || x > width || y < 0 || y > height) return [];
    const [right, left] = [fitted(node[2], width - x - away - 2), fitted(node[2], x - away - 2)];
    const sides = [[right, x + away], [left, x - away - pen.measureText(left).width]].filter(([text]) => text);
    if (left.length > right.length) sides.reverse();
    return sides.map(([text, from]) => ({ text, x: from, y, box: [from, y - 11, from + pen.measureText(text).width, y + 3] }));
  }

  function label(paint, beside, width, height) {
    pen.fillStyle = paint.text;
    pen.strokeStyle = paint.card;
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    pen.font = "12px system-ui, sans-serif";
    const first = new Set(chosen >= 0 ? [chosen, ...beside.slice(0, 40)] : []);
    const order = [...first, ...byDegree.slice(0, view.scale > 0.9 ? 400 : 24).filter((number) => !first.has(number))];
    const dots = nodes.map((node) => { const [x, y, far] = [screenX(node[3]), screenY(node[4]), size(node) * grown()]; return [x - far, y - far, x + far, y + far]; });
    const taken = dots.filter((dot) => dot[2] > 0 && dot[0] < width && dot[3] > 0 && dot[1] < height);
    for (const number of order) {
      const found = places(nodes[number], width, height);
      const free = found.find(({ box }) => !taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1])) ?? (number === chosen ? found[0] : undefined);
      if (!free) continue;
      taken.push(free.box);
      pen.strokeText(free.text, free.x, free.y); // so that it is read above lines
      pen.fillText(free.text, free.x, free.y);
    }
    if (chosen >= 0) { pen.strokeStyle = paint.accent; pen.lineWidth = 2; pen.beginPath(); pen.arc(screenX(nodes[chosen][3]), screenY(nodes[chosen][4]), size(nodes[chosen]) + 3, 0, 2 * Math.PI); pen.stroke(); }
  }

  let byDegree = [];
  const soon = () => { if (!waiting) { waiting = true; requestAnimationFrame(draw); } };

  function all() {
    const xs = nodes.map((node) => node[3]), ys = nodes.map((node) => node[4]);
    const low = [xs.reduce((a, b) => Math.min(a, b), 0), ys.reduce((a, b) => Math.min(a, b), 0)], high = [xs.reduce((a, b) => Math.max(a, b), 0), ys.reduce((a, b) => Math.max(a, b), 0)];
    view = { x: (low[0] + high[0]) / 2, y: (low[1] + high[1]) / 2, scale: Math.min(2, canvas.clientWidth / (high[0] - low[0] + 120), canvas.clientHeight / (high[1] - low[1] + 80)) };
    soon();
  }

  function at(x, y) {
    let best = -1, nearest = 14;
    nodes.forEach((node, number) => {
      const away = Math.hypot(screenX(node[3]) - x, screenY(node[4]) - y);
      if (away < nearest) { nearest = away; best = number; }
    });
    return best;
  }

  // Show a node and its neighbours; by a key it is also brought into the middle, where a click has it in view already.
  async function choose(number, clicked) {
    chosen = number;
    turn = 0;
    const node = nodes[number];
    if (!clicked) view = { ...view, x: node[3], y: node[4], scale: Math.max(view.scale, 0.9) };
    soon();
    const address = `/memory/graph?node=${encodeURIComponent(node[0])}`;
    const answer = await fetch(address, { credentials: "same-origin" });
    if (!answer.ok || chosen !== number) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const list = page.getElementById("chosen");
    if (list) { document.getElementById("chosen").replaceChildren(...list.childNodes); history.replaceState(null, "", address); }
  }

  function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
    const scale = Math.min(6, Math.max(0.03, view.scale * factor));
    const [away, down] = [x - canvas.clientWidth / 2, y - canvas.clientHeight / 2];
    view = { x: view.x + away / view.scale - away / scale, y: view.y + down / view.scale - down / scale, scale };
    soon();
  }

  let held = null;
  const fingers = new Map();
  const apart = () => { const [one, other] = [...fingers.values()]; return Math.hypot(one.x - other.x, one.y - other.y); };
  const placeOf = (event) => ({ x: event.clientX, y: event.clientY });
  canvas.addEventListener("pointerdown", (event) => { fingers.set(event.pointerId, placeOf(event)); held = { ...placeOf(event), moved: fingers.size > 1 }; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    if (fingers.size === 2) {
      const before = apart();
      fingers.set(event.pointerId, placeOf(event));
      const box = canvas.getBoundingClientRect(), [one, other] = [...fingers.values()];
      zoom(apart() / Math.max(before, 1), (one.x + other.x) / 2 - box.left, (one.y + other.y) / 2 - box.top);
      return;
    }
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.moved && Math.hypot(dx, dy) < 4) return;
    held = { x: event.clientX, y: event.clientY, moved: true };
    view = { ...view, x: view.x - dx / view.scale, y: view.y - dy / view.scale };
    soon();
  });
  canvas.addEventListener("pointerup", (event) => {
    const moved = held?.moved;
    fingers.delete(event.pointerId);
    held = fingers.size ? { ...[...fingers.values()][0], moved: true } : null;
    if (moved !== false) return;
    const box = canvas.getBoundingClientRect();
    const number = at(event.clientX - box.left, event.clientY - box.top);
    if (number >= 0) choose(number, true);
  });
  canvas.addEventListener("pointercancel", (event) => { fingers.delete(event.pointerId); held = null; });
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); const box = canvas.getBoundingClientRect(); zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX - box.left, event.clientY - box.top); }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const step = 60 / view.scale;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moves[event.key]) { view = { ...view, x: view.x + moves[event.key][0], y: view.y + moves[event.key][1] }; soon(); }
    else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") all();
    else if (event.key === "n") { const beside = chosen >= 0 ? near.get(chosen) ?? [] : byDegree; if (beside.length) { const kept = turn; choose(beside[kept % beside.length]).then(() => { turn = kept + 1; }); } }
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  addEventListener("resize", soon);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", soon);

  fetch(canvas.dataset.from, { credentials: "same-origin" }).then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status)))).then((found) => {
    nodes = found.nodes;
    edges = found.edges;
    for (const [from, to] of edges) { if (from !== to) { for (const [one, other] of [[from, to], [to, from]]) { if (!near.has(one)) near.set(one, []); near.get(one).push(other); } } }
    byDegree = nodes.map((_, number) => number).sort((a, b) => nodes[b][5] - nodes[a][5]);
    all();
    chosen = nodes.findIndex((node) => node[0] === canvas.dataset.node);
    if (chosen >= 0) { view = { x: nodes[chosen][3], y: nodes[chosen][4], scale: Math.max(view.scale, 0.9) }; soon(); }
    canvas.dataset.drawn = String(nodes.length);
  }).catch(() => { canvas.setAttribute("aria-label", "The picture could not be loaded; the list beside it is complete."); });
})();
