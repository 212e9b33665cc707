// The colours of contacts. What they are is written in the data; here they are only looked up.

import { forceOf } from "./data.js";

/** What contacts are coloured by, in the order of the legends of a moment. */
export const COLOURINGS = {
  plain: "all alike",
  quality: "quality of the normal",
  method: "method",
  "feature-pair": "kinds of features",
  verdict: "verdict of the cone filter",
  gap: "gap",
  force: "force",
};

const VALUES = {
  quality: (moment, contact) => (moment.qualities ? moment.qualities[contact] : NaN),
  gap: (moment, contact) => moment.gaps[contact],
  force: forceOf,
};
const ENTRIES = { "feature-pair": "kinds", verdict: "verdicts" };

/** The legend of a moment. */
export function legendOf(data, moment, colouring) {
  return data.legends[moment.legends[Object.keys(COLOURINGS).indexOf(colouring)]];
}

/** The colours of all contacts of a moment, sRGB, three numbers of 0…255 each. */
export function colours(data, moment, colouring) {
  const legend = legendOf(data, moment, colouring);
  const list = [];
  for (let contact = 0; contact < moment.count; contact += 1) {
    if (legend.kind === "ramp") {
      list.push(between(legend.stops, VALUES[colouring](moment, contact)) ?? data.colours.unknown);
    } else {
      const entry = ENTRIES[colouring] ? moment[ENTRIES[colouring]][contact] : 0;
      list.push(legend.entries[entry][0]);
    }
  }
  return list;
}

/** The colour of a value, linear between stops and constant outside; undefined for what is no number. */
function between(stops, value) {
  if (Number.isNaN(value)) return undefined;
  const after = stops.findIndex(([stop]) => stop >= value);
  if (after === 0) return stops[0][1];
  if (after < 0) return stops.at(-1)[1];
  const [[low, from], [high, to]] = [stops[after - 1], stops[after]];
  const share = high > low ? (value - low) / (high - low) : 1;
  return from.map((part, k) => Math.round(part + share * (to[k] - part)));
}

const css = ([r, g, b]) => `rgb(${r} ${g} ${b})`;

/** Draws a legend into an element. */
export function draw(place, legend, count, unknown) {
  const rows = [element("h2", { textContent: legend.title })];
  if (legend.kind === "names") {
    if (legend.entries.length === 0) rows.push(element("p", { textContent: "no contacts" }));
    for (const [colour, name, count] of legend.entries) rows.push(row(colour, name, count));
  } else {
    rows.push(ramp(legend.stops));
    rows.push(element("p", { className: "known", textContent: `${count - legend.unknown} of ${count} contacts have a value` }));
    if (legend.unknown > 0) rows.push(row(unknown, "not known", legend.unknown));
  }
  place.replaceChildren(...rows);
}

function row(colour, name, count) {
  const line = element("p", { className: "entry" });
  const spot = element("i");
  spot.style.background = css(colour);
  line.append(spot, element("span", { textContent: name }), element("b", { textContent: `${count}` }));
  return line;
}

/** Stops stand side by side at equal distances: those of quality lie too close together to be seen otherwise. */
function ramp(stops) {
  const place = element("div", { className: "ramp" });
  const bar = element("div", { className: "bar" });
  const colours = stops.map(([, colour], k) => `${css(colour)} ${(100 * k) / (stops.length - 1)}%`);
  bar.style.background = `linear-gradient(to right, ${colours.join(", ")})`;
  const scale = element("div", { className: "scale" });
  scale.append(...stops.map(([value]) => element("span", { textContent: short(value) })));
  place.append(bar, scale);
  return place;
}

const short = (value) => (value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(1) : `${Number(value.toPrecision(3))}`);

function element(name, properties = {}) {
  return Object.assign(document.createElement(name), properties);
}
