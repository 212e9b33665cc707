// The data of the page: scenes, runs of methods in them, moments of runs. docs/page.md describes the format.

/** Numbers that were written as base64, little-endian. */
function unpack(text, Kind) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Kind(bytes.buffer);
}

/** Reads what the page was written with. */
export function read(text) {
  const data = JSON.parse(text);
  if (data.format !== "drystone.page/1") throw new Error(`the data is ${data.format}, not drystone.page/1`);
  data.shapes = data.shapes.map((shape) => ({
    triangles: unpack(shape.triangles, Float32Array),
    edges: unpack(shape.edges, Float32Array),
    meshEdges: unpack(shape.mesh_edges, Float32Array),
  }));
  for (const scene of data.scenes) {
    scene.surfaces = scene.surfaces.map((surface) => ({
      ...surface,
      triangles: unpack(surface.triangles, Uint32Array),
      edges: unpack(surface.edges, Uint32Array),
    }));
  }
  return data;
}

/** A moment of a run with its numbers unpacked; done once. */
export function moment(run, index) {
  const stored = run.moments[index];
  stored.unpacked ??= unpackMoment(stored);
  return stored.unpacked;
}

function unpackMoment(stored) {
  const packed = stored.contacts;
  const pairs = unpack(packed.pairs, Uint32Array);
  const bodies = new Uint32Array(2 * packed.count);
  for (let pair = 0, contact = 0; pair < pairs.length; pair += 3) {
    for (let k = 0; k < pairs[pair + 2]; k += 1, contact += 1) bodies.set([pairs[pair], pairs[pair + 1]], 2 * contact);
  }
  const optional = (text) => (text === null ? null : unpack(text, Float32Array));
  return {
    step: stored.step,
    time: stored.time,
    numbers: stored.numbers,
    legends: stored.legends,
    poses: unpack(stored.poses, Float32Array),
    surfaces: stored.surfaces.map((positions) => unpack(positions, Float32Array)),
    count: packed.count,
    bodies,
    positions: unpack(packed.positions, Float32Array),
    normals: unpack(packed.normals, Float32Array),
    gaps: unpack(packed.gaps, Float32Array),
    qualities: optional(packed.qualities),
    forces: optional(packed.forces),
    kinds: unpack(packed.kinds, Uint8Array),
    verdicts: unpack(packed.verdicts, Uint8Array),
    features: unpack(stored.features, Uint32Array),
  };
}

/** Three numbers of a list. */
export const vector = (list, index) => [list[3 * index], list[3 * index + 1], list[3 * index + 2]];

/** The length of the force of a contact, N; NaN where it is not known. */
export function forceOf(moment, contact) {
  return moment.forces ? Math.hypot(...vector(moment.forces, contact)) : NaN;
}

/** The index of the last moment of a run that is not after a step. */
export function momentAt(run, step) {
  const after = run.moments.findIndex((moment) => moment.step > step);
  return Math.max(0, (after < 0 ? run.moments.length : after) - 1);
}
