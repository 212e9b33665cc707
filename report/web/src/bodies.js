// The bodies: solids with edges, or wires.

import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshLambertMaterial,
  Quaternion,
  Vector3,
} from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";

/** How bodies may be drawn. */
export const STYLES = { solid: "solid", wireframe: "wireframe", hidden: "hidden" };

/** The red of bodies in the figures of the paper. */
const WIRE = 0xd1201f;
const INKS = {
  light: { solid: 0xd8d2c4, edge: 0x5f5a50 },
  dark: { solid: 0x6b7480, edge: 0xb9c1ca },
};
/** A body that nothing moves is a ground if it is so many times as wide as all that moves. */
const WIDE = 1.6;
/** How much around what moves is to be seen, by its size. */
const NEAR = 0.18;
/** How much marks grow with the size of the whole, as a power. */
const MANY = 0.4;
const WIDTH = 1.4;

export class Bodies {
  constructor() {
    this.group = new Group();
    const line = (opacity) => new LineMaterial({ linewidth: WIDTH, transparent: opacity < 1, opacity });
    const solid = (opacity) =>
      new MeshLambertMaterial({
        transparent: true,
        opacity,
        side: DoubleSide,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
        depthWrite: opacity > 0.5,
      });
    this.materials = { solid: solid(0.74), faint: solid(0.16), line: line(1), faintLine: line(0.3) };
    this.geometries = new Map();
  }

  resize(width, height) {
    for (const material of [this.materials.line, this.materials.faintLine]) material.resolution.set(width, height);
  }

  /** Takes the bodies of a scene; `poses` are those of its first moment. */
  set(shapes, bodies, poses) {
    this.group.clear();
    this.parts = bodies.map((body, index) => {
      const geometry = this.geometry(shapes, body.shape);
      const corners = geometry.solid.boundingBox;
      return { body, geometry, corners, box: placedBox(corners, poses, index) };
    });
    const moving = union(this.parts.filter(({ body }) => body.kind === "dynamic"));
    const limit = WIDE * width(moving);
    for (const part of this.parts) {
      part.isGround = part.body.kind !== "dynamic" && !moving.isEmpty() && width(part.box) > limit;
      part.solid = new Mesh(part.geometry.solid, part.isGround ? this.materials.faint : this.materials.solid);
      const ink = part.isGround ? this.materials.faintLine : this.materials.line;
      part.edges = new LineSegments2(part.geometry.edges, ink);
      part.wires = new LineSegments2(part.geometry.wires, ink);
      this.group.add(part.solid, part.edges, part.wires);
    }
    const sizes = this.parts.filter((part) => !part.isGround).map(({ corners }) => corners.getSize(new Vector3()).length());
    sizes.sort((p, q) => p - q);
    const middle = sizes[sizes.length >> 1] ?? 1;
    const whole = moving.isEmpty() ? middle : moving.getSize(new Vector3()).length();
    /** What marks are measured by, m: the size of the middle one of the bodies, but more where there are many. */
    this.size = middle * Math.max(whole / middle, 1) ** MANY;
  }

  geometry(shapes, index) {
    const shape = shapes[index];
    if (!this.geometries.has(shape)) {
      const solid = new BufferGeometry();
      solid.setAttribute("position", new BufferAttribute(shape.triangles, 3));
      solid.computeVertexNormals();
      solid.computeBoundingBox();
      const lines = (segments) => new LineSegmentsGeometry().setPositions(segments);
      this.geometries.set(shape, { solid, edges: lines(shape.edges), wires: lines(shape.meshEdges) });
    }
    return this.geometries.get(shape);
  }

  /** Puts the bodies where they are in a moment, moved apart. */
  place(poses, moved) {
    this.parts.forEach((part, index) => {
      const { position, turn } = poseOf(poses, index);
      position.add(new Vector3().fromArray(moved, 3 * index));
      for (const drawn of [part.solid, part.edges, part.wires]) {
        drawn.position.copy(position);
        drawn.quaternion.copy(turn);
      }
      part.box = placedBox(part.corners, poses, index).translate(new Vector3().fromArray(moved, 3 * index));
    });
  }

  style(style, isDark) {
    const inks = isDark ? INKS.dark : INKS.light;
    const isWire = style === "wireframe";
    for (const material of [this.materials.line, this.materials.faintLine]) material.color.set(isWire ? WIRE : inks.edge);
    for (const material of [this.materials.solid, this.materials.faint]) material.color.set(inks.solid);
    for (const part of this.parts) {
      part.solid.visible = style === "solid";
      part.edges.visible = style === "solid";
      part.wires.visible = isWire;
    }
  }

  /** What is to be seen: all but a ground, and of that the part near what moves. */
  box() {
    const moving = union(this.parts.filter(({ body }) => body.kind === "dynamic"));
    if (moving.isEmpty()) return union(this.parts);
    const near = moving.clone().expandByScalar(NEAR * moving.getSize(new Vector3()).length());
    const fixed = this.parts.filter(({ body }) => body.kind !== "dynamic");
    const others = fixed.map(({ box, isGround }) => (isGround ? box.clone().intersect(near) : box));
    others.filter((box) => !box.isEmpty()).forEach((box) => moving.union(box));
    return moving;
  }
}

function poseOf(poses, index) {
  const at = 7 * index;
  return { position: new Vector3().fromArray(poses, at), turn: new Quaternion().fromArray(poses, at + 3) };
}

/** The box around the turned corners of a box. */
function placedBox(corners, poses, index) {
  const { position, turn } = poseOf(poses, index);
  const box = new Box3();
  for (let corner = 0; corner < 8; corner += 1) {
    const at = new Vector3(
      corner & 1 ? corners.max.x : corners.min.x,
      corner & 2 ? corners.max.y : corners.min.y,
      corner & 4 ? corners.max.z : corners.min.z,
    );
    box.expandByPoint(at.applyQuaternion(turn).add(position));
  }
  return box;
}

/** From side to side, seen from above. */
function width(box) {
  const { x, z } = box.getSize(new Vector3());
  return Math.hypot(x, z);
}

function union(parts) {
  const all = new Box3();
  parts.forEach(({ box }) => all.union(box));
  return all;
}
