// Bodies moved apart, so that one sees the contacts between them.

const DIRECTIONS = { centre: [1, 1, 1], x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

/** Names of the directions. */
export const ALONG = Object.keys(DIRECTIONS);

/** How far each body is moved, m, three numbers a body: away from the mean of all positions. Seven numbers a pose. */
export function shifts(poses, amount, along) {
  const bodies = poses.length / 7;
  const mean = [0, 0, 0];
  for (let body = 0; body < bodies; body += 1) {
    for (let axis = 0; axis < 3; axis += 1) mean[axis] += poses[7 * body + axis] / bodies;
  }
  const moved = new Float32Array(3 * bodies);
  for (let body = 0; body < bodies; body += 1) {
    for (let axis = 0; axis < 3; axis += 1) {
      moved[3 * body + axis] = amount * DIRECTIONS[along][axis] * (poses[7 * body + axis] - mean[axis]);
    }
  }
  return moved;
}

/** The length of the largest of these shifts, m. */
export function largest(moved) {
  let length = 0;
  for (let body = 0; body < moved.length; body += 3) {
    length = Math.max(length, Math.hypot(moved[body], moved[body + 1], moved[body + 2]));
  }
  return length;
}
