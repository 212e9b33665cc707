// The page: one view of the data, shown wherever it is to be seen.

import { Bodies, STYLES } from "./bodies.js";
import { Contacts } from "./contacts.js";
import { clicks, keys, listen, options } from "./controls.js";
import { moment as momentOf, momentAt, read } from "./data.js";
import { ALONG, largest, shifts } from "./explode.js";
import { contactFacts, fill, numbersOf } from "./figures.js";
import { COLOURINGS, colours, draw as drawLegend, legendOf } from "./legend.js";
import { format, parse } from "./link.js";
import { Stage, canDraw } from "./stage.js";
import { Surfaces } from "./surfaces.js";
import { Time } from "./time.js";

const part = (id) => document.getElementById(id);
addEventListener("error", (event) => {
  part("error").hidden = false;
  part("error-text").textContent = event.message;
  document.body.dataset.error = event.message;
});
const data = read(part("data").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");

/** Scenes and runs are known by their places in the data: names may repeat. */
const first = data.runs[0];
const START = {
  scene: 0,
  method: 0,
  step: null,
  explode: 0,
  along: "centre",
  colour: first && first.moments.some((moment) => moment.contacts.qualities !== null) ? "quality" : "plain",
  bodies: "solid",
  marks: 1,
  contact: null,
  camera: null,
};
let view = { ...START };
let stage;
let bodies;
let contacts;
let surfaces;
let shown = {};

const runs = () => data.runs.filter((run) => run.scene === view.scene);

/** The view that an address asks for, as far as the data has it. */
function asked(hash) {
  const given = parse(hash);
  const next = { ...START };
  const place = (list, name, otherwise) => {
    const byName = list.indexOf(name);
    return byName >= 0 ? byName : otherwise;
  };
  next.scene = place(data.scenes.map((scene) => scene.name), given.scene, START.scene);
  const here = data.runs.filter((run) => run.scene === next.scene);
  next.method = place(here.map((run) => run.label), given.method, START.method);
  const within = (value, low, high) => Math.min(Math.max(value, low), high);
  if (given.step !== undefined) next.step = given.step;
  if (given.explode !== undefined) next.explode = within(given.explode, 0, 2);
  if (given.marks !== undefined) next.marks = within(given.marks, 0.1, 5);
  if (ALONG.includes(given.along)) next.along = given.along;
  if (given.colour && Object.hasOwn(COLOURINGS, given.colour)) next.colour = given.colour;
  if (given.bodies && Object.hasOwn(STYLES, given.bodies)) next.bodies = given.bodies;
  if (Number.isInteger(given.contact)) next.contact = given.contact;
  if (given.camera && given.camera[2] > 0) next.camera = given.camera;
  return next;
}

/** The address of the view; a moment other than the last is named by its step. */
function address() {
  const named = { ...view, scene: data.scenes[view.scene].name, method: runs()[view.method].label };
  const start = { ...START, scene: data.scenes[0].name, method: first.label };
  return format(named, start);
}

function change(changes) {
  const before = runs()[view.method];
  view = { ...view, ...changes };
  if ("scene" in changes) {
    view.scene = Number(changes.scene);
    view.method = Math.max(0, runs().findIndex((run) => run.label === before.label));
    view.camera = null;
  } else if ("method" in changes) {
    view.method = Number(changes.method);
  }
  if (["scene", "method", "step"].some((key) => key in changes)) view.contact = null;
  show();
  try {
    history.replaceState(null, "", `#${address()}`);
  } catch {
    // Some browsers do not let files do this; the view is the same.
  }
}

/** Shows the view. */
function show() {
  const run = runs()[view.method];
  const index = view.step === null ? run.moments.length - 1 : momentAt(run, view.step);
  const moment = momentOf(run, index);
  if (view.contact !== null && !(view.contact >= 0 && view.contact < moment.count)) view.contact = null;
  const moved = shifts(moment.poses, view.explode, view.along);
  const scene = data.scenes[view.scene];
  const legend = legendOf(data, moment, view.colour);

  options(part("scene"), data.scenes.map((each, k) => [`${k}`, each.name]), `${view.scene}`);
  options(part("method"), runs().map((each, k) => [`${k}`, each.label]), `${view.method}`);
  for (const key of ["colour", "bodies", "along"]) part(key).value = view[key];
  for (const key of ["explode", "marks"]) part(key).value = view[key];
  part("explode-value").textContent = `${Math.round(100 * view.explode)} %`;
  part("title").textContent = scene.name;
  part("subtitle").textContent = run.variant === null ? run.label : `${run.label}, variant ${run.variant}`;
  document.body.classList.toggle("of-surfaces", scene.bodies.length === 0 && scene.surfaces.length > 0);
  part("thinned").textContent = run.every > 1 ? `Of the steps, one in ${run.every} is here.` : "";
  time.show(index, run.moments.length, moment);
  drawLegend(part("legend"), legend, moment.count, data.colours.unknown);
  fill(part("numbers"), numbersOf(moment));
  part("contact").hidden = view.contact === null;
  if (view.contact !== null) {
    part("contact-title").textContent = `Contact ${view.contact + 1} of ${moment.count}`;
    fill(part("contact-facts"), contactFacts(data, run, scene.bodies, moment, view.contact));
  }
  if (stage) present(scene, run, moment, moved);
  tell(run, moment, scene, moved);
}

/** Draws it. */
function present(scene, run, moment, moved) {
  const isOther = shown.scene !== scene;
  if (isOther) {
    bodies.set(data.shapes, scene.bodies, moment.poses);
    surfaces.set(scene.surfaces);
  }
  bodies.place(moment.poses, moved);
  bodies.style(view.bodies, dark.matches);
  surfaces.place(moment.surfaces);
  surfaces.style(view.bodies, dark.matches);
  const list = colours(data, moment, view.colour);
  contacts.draw(moment, moved, list, bodies.size * view.marks, view.contact, data.colours.selected, dark.matches);
  // The camera stays while time goes on.
  const { explode, along, camera } = view;
  if (isOther || explode !== shown.explode || along !== shown.along || camera !== shown.camera) {
    if (isOther) stage.isTouched = false;
    if (isOther || camera === null) stage.given = undefined;
    stage.show(whole(), camera !== shown.camera ? camera ?? undefined : undefined);
  }
  shown = { scene, explode, along, camera };
  stage.draw();
}

/** What is to be seen. */
function whole() {
  return bodies.box().union(surfaces.box());
}

/** Writes the view into the document, where tests and other programs find it. */
function tell(run, moment, scene, moved) {
  const n = moment.numbers;
  Object.assign(document.body.dataset, {
    scene: scene.name,
    method: run.label,
    methods: runs().map((each) => each.label).join("; "),
    step: `${moment.step}`,
    time: `${moment.time}`,
    moments: `${run.moments.length}`,
    contacts: `${moment.count}`,
    bodies: `${scene.bodies.length}`,
    surfaces: `${scene.surfaces.length}`,
    deepest: `${n.deepest}`,
    coverage: `${n.coverage ?? ""}`,
    quality: `${n.quality ?? ""}`,
    colour: view.colour,
    style: view.bodies,
    explode: `${view.explode}`,
    along: view.along,
    shift: `${largest(moved)}`,
    contact: view.contact === null ? "" : `${view.contact}`,
  });
}

const goTo = (index) => change({ step: runs()[view.method].moments[index].step });
const time = new Time({ slider: part("slider"), play: part("play"), back: part("back"), forth: part("forth"), label: part("step") }, goTo);

function next(list, value, by = 1) {
  return list[(list.indexOf(value) + by + list.length) % list.length];
}

function start() {
  const entries = (names) => Object.entries(names);
  options(part("colour"), entries(COLOURINGS), START.colour);
  options(part("bodies"), entries(STYLES), START.bodies);
  options(part("along"), ALONG.map((name) => [name, name === "centre" ? "from the middle" : `along ${name}`]), START.along);
  listen(Object.fromEntries(["scene", "method", "colour", "bodies", "along", "explode", "marks"].map((id) => [id, part(id)])), change);
  const paper = () => change({ bodies: "wireframe", colour: "plain" });
  part("paper").addEventListener("click", paper);
  part("whole").addEventListener("click", () => showAll());
  part("close").addEventListener("click", () => change({ contact: null }));
  const showAll = () => {
    change({ camera: null });
    if (stage) stage.show(whole());
    stage?.reset();
  };
  const cycle = (id) => () => change({ [id]: next([...part(id).options].map((option) => option.value), part(id).value) });
  const explode = (by) => () => change({ explode: Math.min(Math.max(Math.round(20 * (view.explode + by)) / 20, 0), 2) });
  keys({
    " ": () => time.toggle(),
    ArrowRight: () => time.step(1),
    ArrowLeft: () => time.step(-1),
    Home: () => time.to(0),
    End: () => time.to(time.last),
    ArrowUp: explode(0.05),
    ArrowDown: explode(-0.05),
    m: cycle("method"),
    n: cycle("scene"),
    c: cycle("colour"),
    b: cycle("bodies"),
    p: paper,
    f: showAll,
    Escape: () => change({ contact: null }),
    "?": () => (part("help").open = !part("help").open),
  });
  if (canDraw()) {
    stage = new Stage(part("stage"));
    bodies = new Bodies();
    contacts = new Contacts();
    surfaces = new Surfaces();
    stage.scene.add(bodies.group, contacts.group, surfaces.group);
    stage.onResize = (width, height) => bodies.resize(width, height);
    stage.onOrbit = (look) => {
      shown.camera = look;
      change({ camera: look });
    };
    clicks(stage.renderer.domElement, (x, y, within) => {
      const { clientWidth: width, clientHeight: height } = stage.place;
      change({ contact: contacts.pick(x, y, stage.camera, width, height, within) });
    });
  } else {
    part("no-picture").hidden = false;
  }
  addEventListener("hashchange", () => {
    view = asked(location.hash);
    show();
  });
  dark.addEventListener("change", show);
  view = asked(location.hash);
  show();
  stage?.resize();
  document.body.dataset.ready = stage ? "true" : "without-picture";
}

if (data.runs.length > 0) start();
else part("empty").hidden = false;
