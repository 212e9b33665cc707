//! Bodies moved apart, so that one sees the contacts between them.

use drystone_engine::Pose;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Along which directions bodies move apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExplodeAlong {
    /// Away from the middle of all bodies.
    #[default]
    Centre,
    /// Along x.
    X,
    /// Along y, up.
    Y,
    /// Along z.
    Z,
}

impl ExplodeAlong {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Centre, Self::X, Self::Y, Self::Z];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        ["centre", "x", "y", "z"][self as usize]
    }
}

/// How bodies are moved apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Explode {
    /// 0: where they are; 1: every body as far again from the middle of all.
    pub amount: f64,
    /// In which directions.
    pub along: ExplodeAlong,
}

impl Explode {
    /// How far each body is moved, m. The middle is the mean of the positions of the bodies.
    pub fn shifts(&self, poses: &[Pose]) -> Vec<DVec3> {
        let mean = poses.iter().map(|pose| pose.translation).sum::<DVec3>() / poses.len().max(1) as f64;
        let along = match self.along {
            ExplodeAlong::Centre => DVec3::ONE,
            ExplodeAlong::X => DVec3::X,
            ExplodeAlong::Y => DVec3::Y,
            ExplodeAlong::Z => DVec3::Z,
        };
        poses.iter().map(|pose| self.amount * along * (pose.translation - mean)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shifts(amount: f64, along: ExplodeAlong) -> Vec<DVec3> {
        let poses = [DVec3::ZERO, DVec3::new(2.0, 4.0, 6.0)].map(Pose::from_translation);
        Explode { amount, along }.shifts(&poses)
    }

    #[test]
    fn bodies_move_away_from_their_middle() {
        assert_eq!(shifts(0.0, ExplodeAlong::Centre), [DVec3::ZERO; 2]);
        assert_eq!(shifts(0.5, ExplodeAlong::Centre), [DVec3::new(-0.5, -1.0, -1.5), DVec3::new(0.5, 1.0, 1.5)]);
        assert_eq!(shifts(1.0, ExplodeAlong::Y), [DVec3::NEG_Y * 2.0, DVec3::Y * 2.0]);
        assert!(Explode::default().shifts(&[]).is_empty());
    }
}
