//! The orbit of the camera: geometry in the world, without a window.

use glam::{DQuat, DVec2, DVec3};

use crate::model::Camera;

/// How much of the picture is seen from bottom to top, rad.
pub const FIELD_OF_VIEW: f64 = 0.55;
/// What is framed fills so much of the picture.
const FILL: f64 = 0.9;
/// A drag over one pixel turns by so many degrees.
const TURN: f64 = 0.35;
/// One notch of the wheel, and one step of the keys.
const NOTCH: f64 = 1.15;
/// As near to straight up and down as one gets, degrees.
const STEEPEST: f64 = 89.9;

/// Around what the camera turns, and from how far away it looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// What is looked at: the middle of the picture, world frame, m.
    pub focus: DVec3,
    /// Around the upward axis, degrees; 0 looks along −z, 90 along −x.
    pub yaw: f64,
    /// Above the horizon, degrees.
    pub pitch: f64,
    /// From the focus, m.
    pub distance: f64,
    /// Whether parallel lines stay parallel; things then are as large as at the focus.
    pub is_orthographic: bool,
}

impl Default for Orbit {
    fn default() -> Self {
        let Camera { yaw, pitch, .. } = Camera::default();
        Self { focus: DVec3::ZERO, yaw, pitch, distance: 10.0, is_orthographic: false }
    }
}

/// A half-line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it begins, m.
    pub origin: DVec3,
    /// Unit.
    pub direction: DVec3,
}

impl Orbit {
    /// From the axes of the camera (x to the right, y up, z towards the viewer) to those of the world.
    pub fn rotation(&self) -> DQuat {
        DQuat::from_rotation_y(self.yaw.to_radians()) * DQuat::from_rotation_x(-self.pitch.to_radians())
    }

    /// Where the camera is, m.
    pub fn eye(&self) -> DVec3 {
        self.focus + self.rotation() * DVec3::Z * self.distance
    }

    /// The height of what is seen at the focus, m.
    pub fn height(&self) -> f64 {
        2.0 * self.distance * (0.5 * FIELD_OF_VIEW).tan()
    }

    /// The angle, in m a metre of distance, and the length, in m, that a pixel stands for in a picture so many pixels high.
    pub fn pixel(&self, height: f64) -> [f64; 2] {
        let at_focus = self.height() / height.max(1.0);
        if self.is_orthographic { [0.0, at_focus] } else { [at_focus / self.distance, 0.0] }
    }

    /// Turns as a drag over so many pixels wants it: what is grasped goes along.
    pub fn turn(&mut self, pixels: DVec2) {
        self.yaw = (self.yaw - TURN * pixels.x).rem_euclid(360.0);
        self.pitch = (self.pitch + TURN * pixels.y).clamp(-STEEPEST, STEEPEST);
    }

    /// Moves what is looked at along with a drag over so many pixels of a picture so many pixels high.
    pub fn pan(&mut self, pixels: DVec2, height: f64) {
        let metres = self.height() / height.max(1.0);
        self.focus += self.rotation() * DVec3::new(-pixels.x * metres, pixels.y * metres, 0.0);
    }

    /// Goes so far away from the focus, m, within what can be drawn.
    pub fn set_distance(&mut self, distance: f64) {
        if !distance.is_nan() {
            self.distance = distance.clamp(1e-9, 1e12);
        }
    }

    /// Goes nearer by notches of the wheel; below zero farther.
    pub fn zoom(&mut self, notches: f64) {
        self.set_distance(self.distance / NOTCH.powf(notches));
    }

    /// Looks from a direction, degrees.
    pub fn look_from(&mut self, yaw: f64, pitch: f64) {
        (self.yaw, self.pitch) = (yaw, pitch.clamp(-STEEPEST, STEEPEST));
    }

    /// Looks at points so that all just fit into a picture that is `aspect` times as wide as high. Without points nothing
    /// changes.
    pub fn frame(&mut self, points: impl IntoIterator<Item = DVec3>, aspect: f64) {
        let to_camera = self.rotation().inverse();
        let points: Vec<DVec3> = points.into_iter().map(|p| to_camera * p).filter(|p| p.is_finite()).collect();
        let Some(&first) = points.first() else { return };
        let (low, high) = points.iter().fold((first, first), |(low, high), p| (low.min(*p), high.max(*p)));
        let up = (0.5 * FIELD_OF_VIEW).tan() * FILL;
        let slopes = DVec2::new(up * aspect, up);
        let middle = 0.5 * (low + high);
        let (eye, distance) = if self.is_orthographic {
            let half = 0.5 * (high - low);
            (middle, (half.x / slopes.x).max(half.y / slopes.y))
        } else {
            // Each side of the picture is a plane through the eye; of each the outermost point counts. Taken from the middle,
            // so that scenes far from the origin lose nothing.
            let most = |of: &dyn Fn(DVec3) -> f64| points.iter().map(|p| of(*p - middle)).fold(f64::MIN, f64::max);
            let side = |axis: usize| {
                let ahead = most(&|p| p[axis] + slopes[axis] * p.z);
                let behind = most(&|p| -p[axis] + slopes[axis] * p.z);
                (0.5 * (ahead - behind), 0.5 * (ahead + behind) / slopes[axis])
            };
            let ((x, z_by_x), (y, z_by_y)) = (side(0), side(1));
            (middle + DVec3::new(x, y, 0.0), z_by_x.max(z_by_y))
        };
        self.focus = self.rotation() * eye;
        let size = (high - low).length();
        self.set_distance(distance.max(1e-3 * size));
    }

    /// What is seen at a place of a picture: x from −1 at the left to 1, y from −1 at the bottom to 1.
    pub fn ray(&self, at: DVec2, aspect: f64) -> Ray {
        let (turn, up) = (self.rotation(), (0.5 * FIELD_OF_VIEW).tan());
        let across = DVec3::new(at.x * up * aspect, at.y * up, 0.0);
        if self.is_orthographic {
            let far = turn * (across * self.distance + DVec3::Z * self.reach());
            return Ray { origin: self.focus + far, direction: turn * DVec3::NEG_Z };
        }
        Ray { origin: self.eye(), direction: (turn * (across - DVec3::Z)).normalize() }
    }

    /// How far in front of and behind the focus an orthographic camera sees, m.
    pub fn reach(&self) -> f64 {
        100.0 * self.distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a point is in the picture, by the definition of the camera.
    fn seen(orbit: &Orbit, point: DVec3, aspect: f64) -> DVec2 {
        let p = orbit.rotation().inverse() * (point - orbit.eye());
        let up = (0.5 * FIELD_OF_VIEW).tan();
        let depth = if orbit.is_orthographic { orbit.distance } else { -p.z };
        DVec2::new(p.x / (up * aspect * depth), p.y / (up * depth))
    }

    fn box_at(centre: DVec3, half: DVec3) -> Vec<DVec3> {
        let signs = [-1.0, 1.0];
        signs
            .into_iter()
            .flat_map(|x| signs.into_iter().flat_map(move |y| signs.map(move |z| centre + half * DVec3::new(x, y, z))))
            .collect()
    }

    #[test]
    fn one_looks_where_the_numbers_say() {
        let mut orbit = Orbit { distance: 2.0, ..Orbit::default() };
        for (yaw, pitch, eye) in [(0.0, 0.0, DVec3::Z), (90.0, 0.0, DVec3::X), (0.0, 89.9, DVec3::Y)] {
            orbit.look_from(yaw, pitch);
            assert!((orbit.eye() - 2.0 * eye).length() < 0.01, "{yaw} {pitch}");
        }
    }

    #[test]
    fn what_is_framed_just_fits() {
        for is_orthographic in [false, true] {
            for (aspect, far) in [(1.8, 0.0), (0.4, 0.0), (1.0, 1e7)] {
                let points = box_at(DVec3::new(3.0 + far, -1.0, 2.0), DVec3::new(1.0, 4.0, 0.5));
                let mut orbit = Orbit { is_orthographic, ..Orbit::default() };
                orbit.frame(points.clone(), aspect);
                let places: Vec<DVec2> = points.iter().map(|p| seen(&orbit, *p, aspect)).collect();
                let most = places.iter().fold(DVec2::ZERO, |most, p| most.max(p.abs()));
                assert!((most.max_element() - FILL).abs() < 1e-6, "{most} {aspect} {is_orthographic}");
                let side = usize::from(most.y > most.x);
                let low = places.iter().map(|p| p[side]).fold(f64::MAX, f64::min);
                assert!((low + FILL).abs() < 1e-6, "as much space on both sides: {low}");
            }
        }
        let before = Orbit::default();
        let mut after = before;
        after.frame([], 1.0);
        assert_eq!(after, before);
    }

    #[test]
    fn rays_meet_what_is_seen_there() {
        for is_orthographic in [false, true] {
            let mut orbit = Orbit { is_orthographic, ..Orbit::default() };
            orbit.frame(box_at(DVec3::ONE, DVec3::ONE), 1.5);
            for point in box_at(DVec3::new(1.2, 0.4, 0.7), DVec3::new(0.3, 0.5, 0.6)) {
                let ray = orbit.ray(seen(&orbit, point, 1.5), 1.5);
                let off = (point - ray.origin).cross(ray.direction).length();
                assert!(off < 1e-9 && (point - ray.origin).dot(ray.direction) > 0.0, "{off}");
            }
        }
    }

    #[test]
    fn drags_and_notches_come_back() {
        let before = Orbit { focus: DVec3::ONE, ..Orbit::default() };
        let mut orbit = before;
        orbit.turn(DVec2::new(30.0, 12.0));
        orbit.pan(DVec2::new(5.0, -7.0), 500.0);
        orbit.zoom(3.0);
        assert!(orbit.distance < before.distance);
        orbit.zoom(-3.0);
        orbit.pan(DVec2::new(-5.0, 7.0), 500.0);
        orbit.turn(DVec2::new(-30.0, -12.0));
        assert!((orbit.focus - before.focus).length() < 1e-12 && (orbit.yaw - before.yaw).abs() < 1e-12);
        orbit.turn(DVec2::new(0.0, 1e6));
        assert!(orbit.pitch < 90.0 && orbit.eye().is_finite());
    }
}
