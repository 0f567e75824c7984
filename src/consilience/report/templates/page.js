"use strict";
// Everything here adds to a page that is complete without it: figures, sorting, copying.

(() => {
  const root = document.documentElement;
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const canvases = [...document.querySelectorAll(".canvas")];
  const config = { displayModeBar: false, responsive: true, typesetMath: false, scrollZoom: false, doubleClick: false };
  const NARROW = 480; // pixels of a figure, below which its labels are cut shorter
  const PRINTED = { small: 200, half: 320, "": 660 }; // pixels of a figure on paper

  // --- figures -----------------------------------------------------------------------------

  // Copy a specification with its colours resolved. Only under colour keys is a string taken for
  // a colour: a feature may have any name, "var(--ink)" too.
  function resolved(value, style, coloured = false) {
    if (typeof value === "string") {
      const variable = coloured && value.match(/^var\((--[\w-]+)\)$/);
      return variable ? style.getPropertyValue(variable[1]).trim() : value;
    }
    if (Array.isArray(value)) {
      return typeof value[0] === "number" && !coloured ? value.slice() : value.map((item) => resolved(item, style, coloured));
    }
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, resolved(item, style, coloured || /color(scale)?$/.test(key))])
    );
  }

  function isNarrow(canvas) {
    return canvas.clientWidth < NARROW;
  }

  function draw(canvas, width) {
    const spec = resolved(figures[canvas.dataset.figure], getComputedStyle(root));
    const narrow = width ? false : isNarrow(canvas);
    for (const [path, value] of Object.entries(narrow && spec.narrow ? spec.narrow : {})) {
      const [axis, key] = path.split(".");
      spec.layout[axis][key] = value;
    }
    spec.layout.width = width;
    spec.layout.font.family = getComputedStyle(document.body).fontFamily;
    canvas.dataset.narrow = narrow;
    return Plotly.react(canvas, spec.data, spec.layout, config);
  }

  // One figure at a time, from the top, so that the page can be read and scrolled meanwhile.
  function drawNext(waiting) {
    if (waiting.length === 0) {
      root.dataset.figures = "drawn";
      return;
    }
    draw(waiting[0]);
    setTimeout(() => drawNext(waiting.slice(1)), 0);
  }
  drawNext(canvases);

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => canvases.forEach((canvas) => draw(canvas)));

  let resizing;
  addEventListener("resize", () => {
    clearTimeout(resizing);
    resizing = setTimeout(() => {
      canvases.filter((canvas) => String(isNarrow(canvas)) !== canvas.dataset.narrow).forEach((canvas) => draw(canvas));
    }, 150);
  });

  // Paper is light and has a width of its own.
  addEventListener("beforeprint", () => {
    root.classList.add("printing");
    for (const canvas of canvases) {
      const kind = ["small", "half"].find((name) => canvas.parentElement.classList.contains(name));
      draw(canvas, canvas.closest(".pair") ? PRINTED.half : PRINTED[kind || ""]);
    }
  });
  addEventListener("afterprint", () => {
    root.classList.remove("printing");
    for (const canvas of canvases) {
      Plotly.purge(canvas); // else the width of the paper would stay
      draw(canvas);
    }
  });

  for (const canvas of canvases) {
    const caption = canvas.parentElement.querySelector("figcaption");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "save";
    button.textContent = "Save as SVG";
    button.setAttribute("aria-label", `Save as SVG: ${caption.querySelector("strong").textContent}`);
    button.addEventListener("click", () => {
      Plotly.downloadImage(canvas, { format: "svg", filename: `consilience-${canvas.dataset.figure}`, width: canvas.clientWidth, height: canvas.clientHeight });
    });
    if (!canvas.parentElement.classList.contains("small")) caption.append(button);
  }

  // --- sorting -----------------------------------------------------------------------------

  const byText = new Intl.Collator("en", { numeric: true, sensitivity: "base" }).compare;

  function sortBy(table, column, ascending) {
    const body = table.tBodies[0];
    const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
    const isNumber = "value" in body.rows[0].cells[column].dataset;
    const compare = (a, b) => {
      if (!isNumber) return ascending ? byText(a, b) : byText(b, a);
      if (a === "" || b === "") return (a === "") - (b === ""); // unknown ones last, either way
      return ascending ? a - b : b - a;
    };
    body.append(...[...body.rows].sort((a, b) => compare(value(a), value(b))));
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    const headings = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    headings.forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => {
        const now = heading.getAttribute("aria-sort");
        const first = heading.dataset.first || "ascending";
        const next = now === null ? first : now === "ascending" ? "descending" : "ascending";
        headings.forEach((other) => other.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", next);
        sortBy(table, column, next === "ascending");
      });
    });
  }

  // --- copying -----------------------------------------------------------------------------

  async function copy(element) {
    try {
      await navigator.clipboard.writeText(element.textContent);
    } catch {
      // Pages opened from a file may lack the clipboard; a selection always works.
      getSelection().selectAllChildren(element);
      if (!document.execCommand("copy")) return "Press Ctrl+C to copy";
      getSelection().removeAllRanges();
    }
    return "Copied";
  }

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      const status = button.parentElement.querySelector(".status");
      status.textContent = await copy(document.getElementById(button.dataset.copy));
      setTimeout(() => (status.textContent = ""), 4000);
    });
  }
})();
