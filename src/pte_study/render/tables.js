"use strict";

// A click on a column's name sorts a table by it, numbers from the largest; another click turns the order.
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const rows = [...table.tBodies[0].rows];
    const key = (row) => parseFloat(row.cells[column].dataset.key ?? "NaN");
    const text = (row) => row.cells[column].textContent;
    const numbers = rows.some((row) => !isNaN(key(row)));
    const orders = numbers ? ["descending", "ascending"] : ["ascending", "descending"];
    const order = orders[+(head.getAttribute("aria-sort") === orders[0])];
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    rows.sort((a, b) => numbers
      ? isNaN(key(a)) - isNaN(key(b)) || sign * (key(a) - key(b)) || 0
      : sign * text(a).localeCompare(text(b), "en"));
    table.tBodies[0].append(...rows);
  }));
}
