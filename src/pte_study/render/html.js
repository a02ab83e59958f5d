"use strict";

// Tables: a click on a column's name sorts the rows by this column, and another click reverses the
// order. Cells without a number come last.
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const numbers = [...body.rows].some((row) => "key" in row.cells[column].dataset);
      const first = numbers ? "descending" : "ascending";
      const second = numbers ? "ascending" : "descending";
      const order = head.getAttribute("aria-sort") === first ? second : first;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const rows = [...body.rows].map((row) => {
        const cell = row.cells[column];
        return { row, text: cell.textContent, key: parseFloat(cell.dataset.key ?? "NaN") };
      });
      rows.sort((a, b) => {
        if (!numbers) return sign * a.text.localeCompare(b.text, "en");
        return isNaN(a.key) - isNaN(b.key) || sign * (a.key - b.key) || 0;
      });
      body.append(...rows.map(({ row }) => row));
    });
  });
}

// Readers choose which corpora and methods the tables, their rows, and the charts show.
const filters = document.querySelector(".filters");
if (filters) {
  filters.hidden = false;
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("input", () => {
    const away = [...filters.querySelectorAll("[type=checkbox]:not(:checked)")].map((box) => box.value);
    const wanted = filters.querySelector("[type=search]").value.trim().toLowerCase();
    for (const part of document.querySelectorAll("main [data-corpus], main [data-method]")) {
      const { corpus, method } = part.dataset;
      const other = method !== undefined && !method.toLowerCase().includes(wanted);
      part.toggleAttribute("hidden", other || away.includes(corpus));
    }
  });
}

// Contents: closed where they would push the page away; they mark the section that is read.
const contents = document.querySelector(".contents details");
if (contents) contents.open = matchMedia("(min-width: 72rem)").matches;
const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
const reading = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      links.forEach((link) => link.removeAttribute("aria-current"));
      links.get(target.id)?.setAttribute("aria-current", "true");
    }
  },
  { rootMargin: "0px 0px -70% 0px" },
);
document.querySelectorAll("h2[id]").forEach((title) => reading.observe(title));

// Maps: documents are dots in the colour of their class. `xs` and `ys` are from 0 to 1000.
for (const figure of document.querySelectorAll(".map")) {
  const { xs, ys, labels, classes, names, colours, beginnings } = JSON.parse(
    figure.querySelector("script").textContent,
  );
  const canvas = figure.querySelector("canvas");
  const said = figure.querySelector("p");
  const pen = canvas.getContext("2d");
  const scale = canvas.width / 1000;
  const hidden = new Set();
  let current = -1;

  const dot = (i, radius) => {
    pen.beginPath();
    pen.arc(xs[i] * scale, ys[i] * scale, radius, 0, 2 * Math.PI);
    pen.fillStyle = colours[labels[i]];
    pen.fill();
  };
  const median = (values, label) => {
    const of = values.filter((_, i) => labels[i] === label).sort((a, b) => a - b);
    return of[of.length >> 1] * scale;
  };
  const places = classes.map((_, label) => [median(xs, label), median(ys, label)]);
  const name = ([x, y], label) => {
    if (hidden.has(label)) return;
    const text = names[label];
    const { color, backgroundColor } = getComputedStyle(document.body);
    pen.font = "bold 15px system-ui, sans-serif";
    pen.textAlign = "center";
    [pen.lineWidth, pen.strokeStyle, pen.fillStyle] = [4, backgroundColor, color];
    pen.strokeText(text, x, y);
    pen.fillText(text, x, y);
  };
  const draw = () => {
    pen.clearRect(0, 0, canvas.width, canvas.height);
    xs.forEach((_, i) => hidden.has(labels[i]) || dot(i, 1.6));
    places.forEach(name);
    if (current >= 0) {
      dot(current, 6);
      pen.lineWidth = 2;
      pen.strokeStyle = getComputedStyle(canvas).color;
      pen.stroke();
    }
  };
  const show = (i) => {
    if (i === current) return;
    current = i;
    said.textContent = i < 0 ? "\u00a0" : `${classes[labels[i]]}: ${beginnings[i]}`;
    draw();
  };
  const nearest = (x, y, reach) => {
    let found = -1;
    let least = reach * reach;
    for (let i = 0; i < xs.length; i++) {
      if (hidden.has(labels[i])) continue;
      const distance = (xs[i] - x) ** 2 + (ys[i] - y) ** 2;
      if (distance < least) [found, least] = [i, distance];
    }
    return found;
  };
  for (const event of ["pointermove", "pointerdown"]) {
    canvas.addEventListener(event, ({ clientX, clientY }) => {
      const box = canvas.getBoundingClientRect();
      const x = ((clientX - box.left) / box.width) * 1000;
      const y = ((clientY - box.top) / box.height) * 1000;
      show(nearest(x, y, Math.max(15, 20000 / box.width))); // 20 pixels are enough for a finger
    });
  }
  const ahead = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener("keydown", (event) => {
    const way = ahead[event.key];
    if (!way) return;
    event.preventDefault();
    if (current < 0) return show(nearest(500, 500, 1000));
    const [x, y] = [xs[current], ys[current]];
    let found = current;
    let least = Infinity;
    for (let i = 0; i < xs.length; i++) {
      const [dx, dy] = [xs[i] - x, ys[i] - y];
      const along = dx * way[0] + dy * way[1];
      const across = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      if (hidden.has(labels[i]) || along <= 0 || along < across) continue;
      if (along + across < least) [found, least] = [i, along + across];
    }
    show(found);
  });
  classes.forEach((name, i) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    const colour = document.createElement("span");
    button.type = "button";
    button.setAttribute("aria-pressed", "true");
    colour.style.background = colours[i];
    button.append(colour, name);
    button.addEventListener("click", () => {
      if (!hidden.delete(i)) hidden.add(i);
      button.setAttribute("aria-pressed", String(!hidden.has(i)));
      show(-1);
      draw();
    });
    item.append(button);
    figure.querySelector(".classes").append(item);
  });
  draw();
}
