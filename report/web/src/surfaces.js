// Deformable surfaces: their triangles stay, their vertices are where a moment has them. A surface without triangles is a particle.

import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  Points,
  PointsMaterial,
} from "three";

/** Surfaces beside each other differ; those that move as prescribed are all alike. */
const INKS = {
  light: { free: [0xd9895b, 0x5b8fd9, 0x7fb069, 0xb07fc0, 0xd9b95b, 0x5bb9b0], prescribed: 0xb9b5ab, edge: 0x4f4a42 },
  dark: { free: [0xc8733f, 0x4a7fd0, 0x6aa152, 0x9f68b3, 0xc9a83f, 0x47a79e], prescribed: 0x59616b, edge: 0x14171b },
};
const WIRE = 0xd1201f;
const OPACITY = { free: 1, prescribed: 0.25 };
const EDGES = { free: 0.35, prescribed: 0.5 };
const PARTICLE = 9;

export class Surfaces {
  constructor() {
    this.group = new Group();
    this.parts = [];
  }

  /** Takes the surfaces of a scene. */
  set(surfaces) {
    this.group.clear();
    this.parts.forEach(({ solid, lines, point }) => {
      for (const drawn of [solid, lines, point]) {
        drawn.geometry.dispose();
        drawn.material.dispose();
      }
    });
    let free = 0;
    this.parts = surfaces.map((surface) => {
      const opacity = OPACITY[surface.kind];
      const [triangles, edges] = [new BufferGeometry(), new BufferGeometry()];
      triangles.setIndex(new BufferAttribute(surface.triangles, 1));
      edges.setIndex(new BufferAttribute(surface.edges, 1));
      const solid = new Mesh(
        triangles,
        new MeshLambertMaterial({
          side: DoubleSide,
          transparent: opacity < 1,
          opacity,
          depthWrite: opacity === 1,
          polygonOffset: true,
          polygonOffsetFactor: 1,
          polygonOffsetUnits: 1,
        }),
      );
      const lines = new LineSegments(edges, new LineBasicMaterial({ transparent: true, opacity: EDGES[surface.kind] }));
      const point = new Points(new BufferGeometry(), new PointsMaterial({ size: PARTICLE, sizeAttenuation: false }));
      // Vertices move, and with them what is in the picture.
      for (const drawn of [solid, lines, point]) drawn.frustumCulled = false;
      this.group.add(solid, lines, point);
      return { surface, solid, lines, point, ink: surface.kind === "free" ? free++ : 0 };
    });
  }

  /** Puts vertices where they are in a moment: three numbers each, a list for each surface. */
  place(positions) {
    this.parts.forEach(({ solid, lines, point }, k) => {
      const vertices = new BufferAttribute(positions[k], 3);
      for (const drawn of [solid, lines, point]) drawn.geometry.setAttribute("position", vertices);
      solid.geometry.computeVertexNormals();
      solid.geometry.computeBoundingBox();
    });
  }

  style(style, isDark) {
    const inks = isDark ? INKS.dark : INKS.light;
    const isWire = style === "wireframe";
    for (const { surface, solid, lines, point, ink } of this.parts) {
      const colour = surface.kind === "free" ? inks.free[ink % inks.free.length] : inks.prescribed;
      solid.material.color.set(colour);
      point.material.color.set(isWire ? WIRE : colour);
      lines.material.color.set(isWire ? WIRE : inks.edge);
      solid.visible = style === "solid";
      lines.visible = style !== "hidden";
      point.visible = style !== "hidden" && surface.triangles.length === 0;
    }
  }

  /** What is to be seen: what forces move, and all if there is nothing of that. */
  box() {
    const free = this.parts.filter(({ surface }) => surface.kind === "free");
    const all = new Box3();
    (free.length > 0 ? free : this.parts).forEach(({ solid }) => all.union(solid.geometry.boundingBox));
    return all;
  }
}
