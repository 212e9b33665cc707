//! Solids by inequalities, for certified answers: no code is shared with [`drystone_contact::solid`].

use drystone_contact::Pose;
use glam::DVec3;

use super::interval::{Interval, Rate};

/// A solid by inequalities, each of which holds inside. Dimensions in metres, as those of the primitives of the same names.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// y ≤ 0.
    HalfSpace,
    /// About the origin.
    Ball {
        /// Its radius.
        radius: f64,
    },
    /// Half its sides.
    Cuboid {
        /// Along x, y and z.
        half: DVec3,
    },
    /// About the y-axis.
    Cylinder {
        /// Its radius.
        radius: f64,
        /// Half its height.
        half_height: f64,
    },
    /// About the y-axis; its base at −h/4, its tip at 3h/4.
    Cone {
        /// Of the base.
        radius: f64,
        /// h.
        height: f64,
    },
    /// About the y-axis.
    Torus {
        /// Of the circle in the middle of the tube.
        major: f64,
        /// Of the tube.
        minor: f64,
    },
    /// In all of these.
    Intersection(Vec<(Region, Pose)>),
    /// In one of these.
    Union(Vec<(Region, Pose)>),
    /// In the first, not inside the second.
    Difference(Box<[(Region, Pose); 2]>),
}

/// Where a point is during an interval of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Always outside.
    Outside,
    /// Always inside.
    Inside,
    /// Not known.
    Unknown,
}

/// A moving point: a coordinate each.
pub type Moving = [Rate; 3];

impl Region {
    /// Where a point is, by its coordinates over an interval of time, those in the middle of it, and the interval less its
    /// middle.
    pub fn verdict(&self, over: &Moving, middle: &Moving, times: Interval) -> Verdict {
        let children = |children: &[(Self, Pose)]| -> Vec<Verdict> {
            let place =
                |(region, pose): &(Self, Pose)| region.verdict(&seen_from(pose, over), &seen_from(pose, middle), times);
            children.iter().map(place).collect()
        };
        match self {
            Self::Intersection(all) => all_of(&children(all)),
            Self::Union(any) => opposite(all_of(&children(any).into_iter().map(opposite).collect::<Vec<_>>())),
            Self::Difference(both) => {
                let [first, second] = [0, 1].map(|k| children(&both[k..=k])[0]);
                all_of(&[first, opposite(second)])
            }
            _ => {
                let (wide, narrow) = (self.inequalities(over), self.inequalities(middle));
                let range = |k: usize| wide[k].value.intersection(narrow[k].value + wide[k].rate * times);
                let verdicts = (0..wide.len()).map(|k| match range(k) {
                    range if range.low > 0.0 => Verdict::Outside,
                    range if range.high <= 0.0 => Verdict::Inside,
                    _ => Verdict::Unknown,
                });
                all_of(&verdicts.collect::<Vec<_>>())
            }
        }
    }

    /// What is below or at zero inside; none of combinations.
    fn inequalities(&self, &[x, y, z]: &Moving) -> Vec<Rate> {
        let c = Rate::constant;
        let beyond = |coordinate: Rate, half: f64| [coordinate - c(half), c(-half) - coordinate];
        match *self {
            Self::HalfSpace => vec![y],
            Self::Ball { radius } => vec![x.square() + y.square() + z.square() - c(radius).square()],
            Self::Cuboid { half } => {
                [beyond(x, half.x), beyond(y, half.y), beyond(z, half.z)].into_iter().flatten().collect()
            }
            Self::Cylinder { radius, half_height } => {
                let mut all = beyond(y, half_height).to_vec();
                all.push(x.square() + z.square() - c(radius).square());
                all
            }
            Self::Cone { radius, height } => {
                let (quarter, h) = (c(height) * c(0.25), c(height));
                let below_tip = c(3.0) * quarter - y;
                let side = h.square() * (x.square() + z.square()) - c(radius).square() * below_tip.square();
                vec![c(0.0) - y - quarter, c(0.0) - below_tip, side]
            }
            Self::Torus { major, minor } => {
                let across = x.square() + z.square();
                let level = across + y.square() + c(major).square() - c(minor).square();
                vec![level.square() - c(4.0) * c(major).square() * across]
            }
            Self::Intersection(_) | Self::Union(_) | Self::Difference(_) => Vec::new(),
        }
    }
}

fn opposite(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Outside => Verdict::Inside,
        Verdict::Inside => Verdict::Outside,
        Verdict::Unknown => Verdict::Unknown,
    }
}

fn all_of(verdicts: &[Verdict]) -> Verdict {
    if verdicts.contains(&Verdict::Outside) {
        Verdict::Outside
    } else if verdicts.contains(&Verdict::Unknown) {
        Verdict::Unknown
    } else {
        Verdict::Inside
    }
}

/// The coordinates in a frame at a pose.
pub fn seen_from(pose: &Pose, point: &Moving) -> Moving {
    if *pose == Pose::IDENTITY {
        return *point;
    }
    let origin = pose.translation.to_array();
    let from: Moving = std::array::from_fn(|k| point[k] - Rate::constant(origin[k]));
    turned(pose.rotation.conjugate(), &from)
}

/// A vector turned by a quaternion, whose length need not be one to the last bit: (v² − |u|²) p + 2 (u·p) u + 2 v u × p over the
/// square of the length, where that is exact enough to be left out.
pub fn turned(q: glam::DQuat, p: &Moving) -> Moving {
    let c = Rate::constant;
    let u = [q.x, q.y, q.z].map(c);
    let dot = |a: &Moving, b: &Moving| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let scale = c(q.w).square() - dot(&u, &u);
    let along = c(2.0) * dot(&u, p);
    let across = [u[1] * p[2] - u[2] * p[1], u[2] * p[0] - u[0] * p[2], u[0] * p[1] - u[1] * p[0]];
    std::array::from_fn(|k| scale * p[k] + along * u[k] + c(2.0 * q.w) * across[k])
}
