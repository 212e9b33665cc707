// What people touch: selects, sliders, buttons, keys, clicks into the picture.

/** Fills a select with values and their texts, and says what is chosen. */
export function options(select, entries, chosen) {
  const known = [...select.options].map((option) => `${option.value}\n${option.text}`).join("\n\n");
  if (known !== entries.map(([value, label]) => `${value}\n${label}`).join("\n\n")) {
    select.replaceChildren(...entries.map(([value, label]) => new Option(label, value)));
  }
  select.value = chosen;
  select.disabled = entries.length < 2;
}

/** Hands what is chosen in selects and sliders to `change`, by the names of the view. */
export function listen(parts, change) {
  for (const key of ["scene", "method", "colour", "bodies", "along"]) {
    parts[key].addEventListener("change", () => change({ [key]: parts[key].value }));
  }
  for (const key of ["explode", "marks"]) {
    parts[key].addEventListener("input", () => change({ [key]: Number(parts[key].value) }));
  }
}

/** Keys, wherever the focus is but in something that wants them itself. */
export function keys(actions) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const wants = event.target.closest?.("select, input, button, summary, a");
    const isText = event.key.length === 1 && event.key !== " ";
    if (wants && !(isText && !wants.matches("select"))) return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** The furthest that a pointer may move in a click, and the furthest that it may miss; pixels. */
const STILL = 5;
const REACH = { mouse: 12, pen: 14, touch: 26 };

/** Clicks into the picture, told from turning it. */
export function clicks(canvas, pick) {
  let [down, several] = [null, false];
  canvas.addEventListener("pointerdown", (event) => {
    several = !event.isPrimary || event.button !== 0;
    if (event.isPrimary) down = [event.offsetX, event.offsetY];
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!down || several || !event.isPrimary) return;
    if (Math.hypot(event.offsetX - down[0], event.offsetY - down[1]) > STILL) return;
    pick(event.offsetX, event.offsetY, REACH[event.pointerType] ?? REACH.mouse);
  });
}
