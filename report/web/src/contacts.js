// The contacts: a sphere and the normal as an arrow, on both bodies once these are apart.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  MeshLambertMaterial,
  Quaternion,
  SRGBColorSpace,
  Vector3,
} from "three";
import { vector } from "./data.js";

/** By the size of bodies: radius of a sphere, length and half thickness of an arrow, length and radius of its head. */
const MARK = { radius: 0.013, length: 0.15, shaft: 0.0042, head: 0.045, headRadius: 0.0135 };
const LARGER = 1.35;
const UP = new Vector3(0, 1, 0);

export class Contacts {
  constructor() {
    this.group = new Group();
    this.places = [];
    const shaft = new CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0);
    const head = new ConeGeometry(1, 1, 14).translate(0, 0.5, 0);
    this.geometries = { sphere: new IcosahedronGeometry(1, 2), shaft, head };
    this.material = new MeshLambertMaterial();
    this.links = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.55 }));
    this.links.frustumCulled = false;
  }

  /** Draws the contacts of a moment. `size`: what marks are measured by, m; `selected`: the number of one that stands out, or null. */
  draw(moment, moved, colours, size, selected, selectedColour, isDark) {
    const isApart = moved.some((shift) => shift !== 0);
    const copies = isApart ? 2 : 1;
    this.group.children.forEach((child) => child !== this.links && child.dispose());
    this.group.clear();
    this.places = [];
    const meshes = Object.values(this.geometries).map((geometry) => {
      const mesh = new InstancedMesh(geometry, this.material, copies * moment.count);
      mesh.frustumCulled = false;
      return mesh;
    });
    const segments = [];
    for (let contact = 0; contact < moment.count; contact += 1) {
      const isSelected = contact === selected;
      const colour = new Color();
      const parts = (isSelected ? selectedColour : colours[contact]).map((part) => part / 255);
      colour.setRGB(...parts, SRGBColorSpace);
      const normal = new Vector3(...vector(moment.normals, contact));
      const length = normal.length();
      const direction = length > 0 ? normal.divideScalar(length) : UP;
      for (let side = 0; side < copies; side += 1) {
        const place = new Vector3(...vector(moment.positions, contact));
        place.add(new Vector3(...vector(moved, moment.bodies[2 * contact + side])));
        const scale = size * (isSelected ? LARGER : 1);
        marks(place, direction, scale, side).forEach((matrix, k) => {
          meshes[k].setMatrixAt(copies * contact + side, matrix);
          meshes[k].setColorAt(copies * contact + side, colour);
        });
        this.places.push({ contact, place });
        if (isApart) segments.push(place.x, place.y, place.z);
      }
    }
    this.links.geometry.dispose();
    this.links.geometry = new BufferGeometry();
    this.links.geometry.setAttribute("position", new BufferAttribute(new Float32Array(segments), 3));
    this.links.material.color.set(isDark ? 0x9aa4ae : 0x7a828a);
    this.links.visible = isApart;
    this.group.add(...meshes, this.links);
  }

  /** The number of the contact at a place of the picture, the one in front of several; null: there is none. Pixels. */
  pick(x, y, camera, width, height, within) {
    let [nearest, found] = [Infinity, null];
    for (const { contact, place } of this.places) {
      const seen = place.clone().project(camera);
      const distance = Math.hypot(((seen.x + 1) / 2) * width - x, ((1 - seen.y) / 2) * height - y);
      if (seen.z < 1 && distance <= within && distance + 100 * seen.z < nearest) {
        [nearest, found] = [distance + 100 * seen.z, contact];
      }
    }
    return found;
  }
}

/** Where sphere, shaft and head are. The arrow points from A to B: it begins at A's copy and ends at B's. */
function marks(place, direction, size, side) {
  const turn = new Quaternion().setFromUnitVectors(UP, direction);
  const start = side === 0 ? place.clone() : place.clone().addScaledVector(direction, -size * MARK.length);
  const shaft = size * (MARK.length - MARK.head);
  const at = (position, x, y) => new Matrix4().compose(position, turn, new Vector3(x, y, x));
  return [
    at(place, size * MARK.radius, size * MARK.radius),
    at(start, size * MARK.shaft, shaft),
    at(start.clone().addScaledVector(direction, shaft), size * MARK.headRadius, size * MARK.head),
  ];
}
