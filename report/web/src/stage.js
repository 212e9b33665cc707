// Where things are drawn: renderer, camera, light. Drawn on demand: nothing runs while nothing changes.

import { AmbientLight, Box3, DirectionalLight, PerspectiveCamera, Scene, Sphere, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const FIELD_OF_VIEW = 32;
/** Azimuth and elevation from which a scene is seen first, degrees. */
const FIRST_LOOK = [28, 20];
const DEGREE = Math.PI / 180;

/** Whether the browser can draw. */
export function canDraw() {
  try {
    return document.createElement("canvas").getContext("webgl2") !== null;
  } catch {
    return false;
  }
}

export class Stage {
  constructor(place) {
    this.place = place;
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    place.prepend(this.renderer.domElement);
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(FIELD_OF_VIEW);
    const sun = new DirectionalLight(0xffffff, 1.6);
    sun.position.set(0.4, 1, 0.7);
    this.camera.add(sun);
    this.scene.add(new AmbientLight(0xffffff, 1.9), this.camera);
    this.orbit = new OrbitControls(this.camera, this.renderer.domElement);
    this.orbit.addEventListener("change", () => this.draw());
    this.orbit.addEventListener("start", () => (this.isTouched = true));
    /** Told the size of the stage, and of every move of the camera by hand. */
    this.onResize = () => {};
    this.onOrbit = () => {};
    this.orbit.addEventListener("end", () => this.onOrbit(this.look()));
    this.isTouched = false;
    this.sphere = new Sphere(new Vector3(), 1);
    new ResizeObserver(() => this.resize()).observe(place);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.place;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.onResize(width, height);
    if (!this.isTouched) this.frame();
    this.camera.updateProjectionMatrix();
    this.render();
  }

  /** What is to be seen, as long as nobody has moved the camera: a box. `look`: azimuth, elevation (degrees), nearness. */
  show(box, look) {
    if (!box.isEmpty()) box.getBoundingSphere(this.sphere);
    if (this.sphere.radius === 0) this.sphere.radius = 1;
    this.box = box.clone();
    if (look) this.isTouched = false;
    this.given = look ?? this.given;
    if (!this.isTouched) this.frame();
    const reach = this.camera.position.distanceTo(this.sphere.center) + 60 * this.sphere.radius;
    this.camera.near = reach / 1e4;
    this.camera.far = reach * 4;
    this.camera.updateProjectionMatrix();
  }

  /** Goes back to where the whole is seen. */
  reset() {
    this.isTouched = false;
    this.given = undefined;
    this.frame();
    this.draw();
  }

  frame() {
    const [azimuth, elevation, nearness] = this.given ?? [...FIRST_LOOK, 1];
    const level = Math.cos(elevation * DEGREE);
    const from = new Vector3(
      Math.sin(azimuth * DEGREE) * level,
      Math.sin(elevation * DEGREE),
      Math.cos(azimuth * DEGREE) * level,
    );
    this.orbit.target.copy(this.sphere.center);
    this.camera.position.copy(this.sphere.center).addScaledVector(from, this.distance(from) / nearness);
    this.orbit.update();
  }

  /** From how far the corners of the box are all in the picture, seen from a direction. */
  distance(from) {
    const half = Math.tan((FIELD_OF_VIEW / 2) * DEGREE);
    if (!this.box || this.box.isEmpty()) return (1.3 * this.sphere.radius) / half;
    const right = new Vector3(0, 1, 0).cross(from);
    if (right.lengthSq() < 1e-12) right.set(1, 0, 0);
    right.normalize();
    const up = from.clone().cross(right);
    let distance = 0;
    for (let corner = 0; corner < 8; corner += 1) {
      const { min, max } = this.box;
      const at = new Vector3(corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y, corner & 4 ? max.z : min.z);
      at.sub(this.sphere.center);
      const wide = Math.abs(at.dot(right)) / (half * this.camera.aspect);
      const high = Math.abs(at.dot(up)) / half;
      distance = Math.max(distance, at.dot(from) + 1.12 * Math.max(wide, high));
    }
    return Math.max(distance, 0.1 * this.sphere.radius);
  }

  /** Azimuth, elevation (degrees) and nearness of the camera. */
  look() {
    const from = this.camera.position.clone().sub(this.orbit.target);
    const distance = from.length();
    from.normalize();
    const angles = [Math.atan2(from.x, from.z) / DEGREE, Math.asin(from.y) / DEGREE];
    return [...angles.map((angle) => Math.round(10 * angle) / 10), Number((this.distance(from) / distance).toPrecision(3))];
  }

  /** Draws once before the next frame of the browser. */
  draw() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = undefined;
      this.render();
    });
  }

  render() {
    this.renderer.render(this.scene, this.camera);
  }
}

export { Box3 };
