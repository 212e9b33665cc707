// The view in the address, after "#": a link shows exactly one view.

/** The keys of a view and how their values are read; undefined for what cannot be read. */
const KEYS = {
  scene: String,
  method: String,
  step: number,
  explode: number,
  along: String,
  colour: String,
  bodies: String,
  marks: number,
  contact: number,
  camera: (text) => {
    const numbers = text.split(",").map(number);
    return numbers.length === 3 && numbers.every((n) => n !== undefined) ? numbers : undefined;
  },
};

function number(text) {
  const value = Number(text);
  return text.trim() !== "" && Number.isFinite(value) ? value : undefined;
}

/** What an address says of a view; "look=paper" stands for red wireframes and blue contacts. */
export function parse(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const view = given.get("look") === "paper" ? { bodies: "wireframe", colour: "plain" } : {};
  for (const [key, reads] of Object.entries(KEYS)) {
    const value = given.has(key) ? reads(given.get(key)) : undefined;
    if (value !== undefined) view[key] = value;
  }
  return view;
}

/** The address of a view; what is as at the start is left out. */
export function format(view, start) {
  const keys = Object.keys(KEYS).filter((key) => view[key] !== null && view[key] !== undefined && view[key] !== start[key]);
  return keys.map((key) => `${key}=${encodeURIComponent(view[key]).replaceAll("%2C", ",")}`).join("&");
}
