// Numbers as text: those of the moment, and what is known of one contact.

import { forceOf, vector } from "./data.js";
import { legendOf } from "./legend.js";

/** A number for people; a dash for what is not known. */
export function text(value, unit = "") {
  if (value === null || value === undefined || !Number.isFinite(value)) return "\u2013";
  const size = Math.abs(value);
  const digits = size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(3) : `${Number(value.toPrecision(5))}`;
  return (unit === "" ? digits : `${digits} ${unit}`).replaceAll("-", "\u2212");
}

const percent = (share) => (share === null ? text(null) : text(100 * share, "%"));

/** The numbers of a moment: name and text. */
export function numbersOf(moment) {
  const n = moment.numbers;
  if (moment.surfaces.length > 0) {
    const s = n.surfaces ?? {};
    return [
      ["Events", text(s.events)],
      ["Pairs looked at", `${n.pairs}`],
      ["Pairs that repel", text(s.active_pairs)],
      ["Deepest layer", text(s.deepest_layer)],
      ["Closest distance", text(s.closest, "m")],
      ["Kinetic energy", text(n.kinetic, "J")],
      ["Elastic energy", text(s.elastic, "J")],
      ["Contact energy", text(s.contact, "J")],
      ["All but kinetic", text(n.potential, "J")],
    ];
  }
  return [
    ["Contacts", `${moment.count}`],
    ["Pairs looked at", `${n.pairs}`],
    ["Coverage", percent(n.coverage)],
    ["Quality", percent(n.quality)],
    ["Deepest penetration", text(n.deepest, "m")],
    ["Kinetic energy", text(n.kinetic, "J")],
    ["Potential energy", text(n.potential, "J")],
    ["Sweeps of the solver", text(n.sweeps)],
    ["Residual", text(n.residual, "N s")],
  ];
}

/** What is known of a contact: name and text. */
export function contactFacts(data, run, bodies, moment, contact) {
  const [a, b] = [moment.bodies[2 * contact], moment.bodies[2 * contact + 1]];
  const [featureA, featureB] = run.features[moment.features[contact]];
  const entry = (colouring, list) => legendOf(data, moment, colouring).entries[list[contact]][1];
  const triple = (list, unit) => vector(list, contact).map((x) => text(x)).join(", ") + unit;
  return [
    ["Body A", `${bodies[a].name}: ${featureA}`],
    ["Body B", `${bodies[b].name}: ${featureB}`],
    ["Kinds", entry("feature-pair", moment.kinds)],
    ["Position", triple(moment.positions, " m")],
    ["Normal, A to B", triple(moment.normals, "")],
    ["Gap", text(moment.gaps[contact], "m")],
    ["Quality |n\u00b7e|", text(moment.qualities ? moment.qualities[contact] : null)],
    ["Cone filter", entry("verdict", moment.verdicts)],
    ["Force", text(forceOf(moment, contact), "N")],
    ["Force on B", moment.forces ? triple(moment.forces, " N") : text(null)],
  ];
}

/** Fills a list of terms. */
export function fill(list, facts) {
  const rows = facts.map(([name, value]) => {
    const row = document.createElement("div");
    row.append(
      Object.assign(document.createElement("dt"), { textContent: name }),
      Object.assign(document.createElement("dd"), { textContent: value }),
    );
    return row;
  });
  list.replaceChildren(...rows);
}
