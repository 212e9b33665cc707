//! A parallel projection that looks at the world slightly from above.

use glam::{DVec2, DVec3};

/// Where one looks from. World up is up on the picture.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    right: DVec3,
    up: DVec3,
    /// Unit, from the world to the eye.
    pub towards_eye: DVec3,
}

impl Camera {
    /// From a direction: angle around y from +z towards +x, and angle above the ground, degrees.
    pub fn new(around: f64, above: f64) -> Self {
        let (around, above) = (around.to_radians(), above.to_radians());
        let (sin_around, cos_around) = (libm::sin(around), libm::cos(around));
        let (sin_above, cos_above) = (libm::sin(above), libm::cos(above));
        let towards_eye = DVec3::new(sin_around * cos_above, sin_above, cos_around * cos_above);
        let right = DVec3::new(cos_around, 0.0, -sin_around);
        Camera { right, up: towards_eye.cross(right), towards_eye }
    }

    /// The place on the picture, m: x to the right, y down.
    pub fn project(&self, point: DVec3) -> DVec2 {
        DVec2::new(self.right.dot(point), -self.up.dot(point))
    }

    /// How near to the eye, m.
    pub fn nearness(&self, point: DVec3) -> f64 {
        self.towards_eye.dot(point)
    }
}

/// A rectangle on the picture, m.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Its corner with the smallest coordinates.
    pub low: DVec2,
    /// Its opposite corner.
    pub high: DVec2,
}

impl Frame {
    /// The smallest around points; `None` without points.
    pub fn around(points: impl IntoIterator<Item = DVec2>) -> Option<Self> {
        points.into_iter().filter(|p| p.is_finite()).fold(None, |frame: Option<Frame>, p| {
            let (low, high) = frame.map_or((p, p), |f| (f.low.min(p), f.high.max(p)));
            Some(Frame { low, high })
        })
    }

    /// With a margin on each side, m.
    pub fn with_margin(self, margin: f64) -> Self {
        Frame { low: self.low - margin, high: self.high + margin }
    }

    /// Width and height, m.
    pub fn size(self) -> DVec2 {
        self.high - self.low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_is_up_and_the_near_is_near() {
        let camera = Camera::new(30.0, 20.0);
        assert!(camera.project(DVec3::Y).y < -0.9 && camera.project(DVec3::X).x > 0.8);
        assert!(camera.nearness(DVec3::Z) > 0.7 && camera.nearness(DVec3::Y) > 0.3);
        let length =
            [DVec3::X, DVec3::Y, DVec3::Z].map(|e| camera.project(e).length_squared() + camera.nearness(e).powi(2));
        assert!(length.iter().all(|l| (l - 1.0).abs() < 1e-12));
    }
}
