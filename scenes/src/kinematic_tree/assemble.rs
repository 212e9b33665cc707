//! From a kinematic tree to a scene: links without joints become one body with their parents.

use std::sync::Arc;

use drystone_contact::shape::{Ball, Compound, CompoundPart, Shape};
use drystone_engine::solver::FrictionModel;
use drystone_engine::{Body, BodyId, ExternalForces, Groups, JointKind, MaterialId, Pose};
use glam::{DMat3, DQuat, DVec3};

use super::TreeScene;
use super::error::{TreeError, TreeProblem};
use super::joint::{Placed as PlacedJoint, alone, as_one};
use super::mass::Moments;
use super::model::{Form, Freedom, Geom, Joint, Link, Model};
use super::name::Names;
use super::note::Notes;
use super::solid::{Placed, Solids};
use super::touch::Touches;
use crate::joint::{JointEnds, SceneJoint};
use crate::scene::{FREE_AXES, Scene, SceneBody};
use crate::scene_file::{DEFAULT_STEP, name, number};
use crate::truth::Truth;

/// The share of the mass of a link that each body between two of its joints has.
const SHARE_BETWEEN: f64 = 0.01;

/// Products of inertia below this share of the trace are zero.
const NO_PRODUCT: f64 = 1e-12;

/// The body of a link, and where it is.
#[derive(Clone, Copy)]
struct Made {
    id: BodyId,
    pose: Pose,
}

/// A scene on its way.
struct Assembly {
    model: Model,
    /// Of the links in the world.
    poses: Vec<Pose>,
    /// The link whose body a link is a part of: itself, or the one that it is fixed to. 0 is the world.
    roots: Vec<usize>,
    /// The links whose body is that of a link.
    parts: Vec<Vec<usize>>,
    touches: Touches,
    solids: Solids,
    names: Names,
    bodies: Vec<SceneBody>,
    joints: Vec<SceneJoint>,
    joint_names: Names,
    excluded: Vec<[BodyId; 2]>,
    /// The body of each link that moves.
    made: Vec<Option<Made>>,
    /// The bodies of a link that does not move.
    still: Vec<Vec<BodyId>>,
    notes: Notes,
}

/// Makes the scene of a model; `stem` names it if it does not name itself.
pub fn scene(mut model: Model, stem: &str) -> Result<TreeScene, TreeError> {
    let mut notes = std::mem::take(&mut model.notes);
    let (mut poses, mut roots): (Vec<Pose>, Vec<usize>) = (Vec::new(), Vec::new());
    for (number, link) in model.links.iter().enumerate() {
        let is_world = number == 0;
        let pose = if is_world { Pose::IDENTITY } else { poses[link.parent] * link.pose };
        let pose = Pose { rotation: pose.rotation.normalize(), ..pose };
        within_bounds(pose.translation, link)?;
        poses.push(pose);
        roots.push(if is_world || !link.joints.is_empty() { number } else { roots[link.parent] });
    }
    let touches = Touches::new(&model, &mut notes)?;
    let count = model.links.len();
    let mut parts = vec![Vec::new(); count];
    roots.iter().enumerate().for_each(|(link, &root)| parts[root].push(link));
    let mut assembly = Assembly {
        model,
        poses,
        roots,
        parts,
        touches,
        solids: Solids::default(),
        names: Names::default(),
        bodies: Vec::new(),
        joints: Vec::new(),
        joint_names: Names::default(),
        excluded: Vec::new(),
        made: vec![None; count],
        still: vec![Vec::new(); count],
        notes,
    };
    for number in 0..count {
        if assembly.roots[number] == 0 {
            assembly.fixed_bodies(number)?;
        } else if assembly.roots[number] == number {
            assembly.moving_body(number)?;
        }
    }
    assembly.ties()?;
    assembly.excluded_pairs();
    assembly.finish(stem)
}

impl Assembly {
    /// Every geom of a link that does not move is a body of its own.
    fn fixed_bodies(&mut self, number: usize) -> Result<(), TreeError> {
        let geoms = self.model.links[number].geoms.clone();
        for geom in geoms {
            let has_contacts = self.model.has_contacts && geom.collides();
            // What nothing touches has no effect here, and meshes that are only seen need not be solids.
            if !has_contacts {
                continue;
            }
            let Placed { shape, pose } = self.solids.of(&geom)?;
            let (groups, material) = self.touches.of([&geom].into_iter())?;
            let at = self.poses[number] * geom.pose * pose;
            let body = Body::fixed(material).at(at.translation, at.rotation.normalize());
            let body = body.map_err(|error| TreeError::new(geom.place.clone(), error))?;
            let label = if geom.name.is_empty() { &self.model.links[number].name } else { &geom.name };
            let name = self.names.next(label);
            self.still[number].push(BodyId::new(self.bodies.len() as u32));
            self.bodies.push(SceneBody { name, shape, body, prescribed_motion: None, locked_axes: FREE_AXES, groups });
        }
        Ok(())
    }

    /// The body of a link with joints and of all that is fixed to it.
    fn moving_body(&mut self, number: usize) -> Result<(), TreeError> {
        let place = self.model.links[number].place.clone();
        let wrong = |problem: TreeProblem| TreeError::new(place.clone(), problem);
        let back = self.poses[number].inverse();
        let mut planes = self.parts[number].iter().flat_map(|&part| &self.model.links[part].geoms);
        if let Some(plane) = planes.find(|geom| geom.form == Form::Plane) {
            let cure = "a plane has no end and cannot move; put it into a body without joints, or use a box";
            return Err(TreeError::new(plane.place.clone(), TreeProblem::unsupported("a plane that moves", cure)));
        }
        let mut moments = Moments::NONE;
        let mut geoms: Vec<(Pose, Geom)> = Vec::new();
        for &part in &self.parts[number] {
            let link = &self.model.links[part];
            let pose = back * self.poses[part];
            moments.add_link(link, &pose, &mut self.solids)?;
            geoms.extend(link.geoms.iter().map(|geom| (pose * geom.pose, geom.clone())));
            if link.gravity_scale != self.model.links[number].gravity_scale {
                let cure = "give the same gravcomp to all bodies that are fixed to each other";
                return Err(TreeError::new(link.place.clone(), TreeProblem::unsupported("another gravcomp", cure)));
            }
        }
        let mass = moments.properties().map_err(wrong)?;
        let touching: Vec<&(Pose, Geom)> =
            geoms.iter().filter(|(_, geom)| self.model.has_contacts && geom.collides()).collect();
        let (groups, material) = self.touches.of(touching.iter().map(|(_, geom)| geom))?;
        let mut parts = Vec::new();
        for (pose, geom) in &touching {
            let Placed { shape, pose: own } = self.solids.of(geom)?;
            parts.push(CompoundPart { shape, pose: normalized(*pose * own) });
        }
        let (shape, frame, inertia) = in_body_frame(parts, &mass).map_err(wrong)?;
        let pose = normalized(self.poses[number] * frame);
        let chain = self.chain(number)?;
        let between = chain.len().saturating_sub(1);
        let share = 1.0 - SHARE_BETWEEN * between as f64;
        let lift = (self.model.links[number].gravity_scale - 1.0) * mass.mass * self.model.gravity;
        let body = |share: f64, material: MaterialId| {
            let body = Body::dynamic(share * mass.mass, share * inertia, material)?;
            let mut body = body.at(pose.translation, pose.rotation)?;
            body.set_constant_force(share * lift, DVec3::ZERO)?;
            Ok::<_, TreeProblem>(body)
        };
        let parent = self.roots[self.model.links[number].parent];
        let mut last = self.made[parent];
        for (step, (joint_name, joint)) in chain.into_iter().enumerate() {
            let is_last = step == between;
            let id = BodyId::new(self.bodies.len() as u32);
            let label = self.model.links[number].name.clone();
            let own_shape =
                if is_last { Arc::clone(&shape) } else { Arc::new(stand_in(&inertia, mass.mass).map_err(wrong)?) };
            self.bodies.push(SceneBody {
                name: self.names.next(&if is_last { label } else { format!("{label} {}", step + 1) }),
                shape: own_shape,
                body: body(if is_last { share } else { SHARE_BETWEEN }, material).map_err(wrong)?,
                prescribed_motion: None,
                locked_axes: FREE_AXES,
                groups: if is_last { groups } else { Groups::NONE },
            });
            let made = Made { id, pose };
            if let Some(joint) = joint {
                let frame = self.poses[number] * joint.frame;
                let name = self.joint_names.next(&joint_name);
                let collides = is_last && !self.model.parents_pass && between == 0;
                self.tie(name, (joint.kind, joint.axes), [last, Some(made)], [frame, frame], collides);
            }
            last = Some(made);
        }
        self.made[number] = last;
        if let (Some(parent), Some(own)) = (self.made[parent], last)
            && self.model.parents_pass
            && between > 0
        {
            self.excluded.push([parent.id, own.id]);
        }
        Ok(())
    }

    /// The joints of a link with their names, as few as can be; one without a joint if it is free.
    fn chain(&mut self, number: usize) -> Result<Vec<(String, Option<PlacedJoint>)>, TreeError> {
        let link = &self.model.links[number];
        let unnamed = |joint: &Joint| if joint.name.is_empty() { link.name.clone() } else { joint.name.clone() };
        if let Some(free) = link.joints.iter().find(|joint| joint.freedom == Freedom::Free) {
            if link.joints.len() > 1 || self.roots[link.parent] != 0 {
                let text = "a free joint must be the only joint of a body, and that body must be a child of the world or of what is fixed to it";
                return Err(TreeError::new(free.place.clone(), TreeProblem::Wrong(text.into())));
            }
            return Ok(vec![(unnamed(free), None)]);
        }
        if let [only] = &link.joints[..] {
            return Ok(vec![(unnamed(only), alone(only))]);
        }
        if let Some(one) = as_one(&link.joints) {
            let names: Vec<String> = link.joints.iter().map(unnamed).collect();
            return Ok(vec![(names.join(" "), Some(one))]);
        }
        let text = format!(
            "joints of one body whose axes do not meet at right angles, or turn on without limits, are tied by bodies between them: each \
             has {SHARE_BETWEEN} of the mass and inertia of the body"
        );
        self.notes.at(link.place.clone(), text);
        let link = &self.model.links[number];
        Ok(link.joints.iter().map(|joint| (joint.name.clone(), alone(joint))).collect())
    }

    /// Adds a joint between two bodies, the world for the first one if it is none; its frames are in the world.
    fn tie(
        &mut self,
        name: String,
        (kind, axes): (JointKind, [drystone_engine::joint::Axis; drystone_engine::joint::AXES]),
        [a, b]: [Option<Made>; 2],
        frames: [Pose; 2],
        collides: bool,
    ) {
        let (a, b, frames) = match (a, b) {
            (a, Some(b)) => (a, b, frames),
            (Some(a), None) => (None, a, [frames[1], frames[0]]),
            (None, None) => return,
        };
        let within =
            |made: Option<Made>, frame: Pose| normalized(made.map_or(frame, |made| made.pose.inverse() * frame));
        let ends = JointEnds::Bodies {
            a: a.map(|made| made.id),
            b: b.id,
            frames: [within(a, frames[0]), within(Some(b), frames[1])],
        };
        self.joints.push(SceneJoint { name, kind, ends, axes, breaking: [None; 2], collides });
    }

    /// The joints that close loops.
    fn ties(&mut self) -> Result<(), TreeError> {
        for tie in self.model.ties.clone() {
            let [a, b] = tie.links.map(|link| self.made[self.roots[link]]);
            if self.roots[tie.links[0]] == self.roots[tie.links[1]] {
                let text = "the two bodies do not move against each other; remove it";
                return Err(TreeError::new(tie.place, TreeProblem::Wrong(text.into())));
            }
            let kind = if tie.is_point { JointKind::Ball } else { JointKind::Fixed };
            let frames = [0, 1].map(|k: usize| self.poses[tie.links[k]] * tie.frames[k]);
            let name = self.joint_names.next(if tie.name.is_empty() { "tie" } else { &tie.name });
            self.tie(name, (kind, kind.axes()), [a, b], frames, true);
        }
        Ok(())
    }

    /// The pairs of bodies of the links that do not collide.
    fn excluded_pairs(&mut self) {
        let bodies = |link: usize| match self.made[self.roots[link]] {
            Some(made) => vec![made.id],
            None => self.still[link].clone(),
        };
        for [a, b] in &self.model.excluded {
            let other = bodies(*b);
            let pairs = bodies(*a).into_iter().flat_map(|a| other.iter().map(move |&b| [a, b]));
            self.excluded.extend(pairs.filter(|[a, b]| a != b));
        }
    }

    fn finish(self, stem: &str) -> Result<TreeScene, TreeError> {
        let Self { model, touches, bodies, joints, excluded, notes, .. } = self;
        let world = &model.links[0].place;
        if bodies.is_empty() {
            let text = "there is nothing that moves or collides in it; add bodies with joints or geoms";
            return Err(TreeError::new(world.clone(), TreeProblem::Wrong(text.into())));
        }
        let own = if model.name.is_empty() { stem } else { &model.name };
        let forces = ExternalForces { gravity: model.gravity, ..ExternalForces::NONE };
        let scene = Scene {
            name: if name::of_files(own).is_ok() { own.to_owned() } else { "scene".to_owned() },
            title: format!("{}, a model in {}", own.replace(char::is_control, "?"), model.format),
            solver: Scene::solver_for(&bodies, &joints),
            bodies,
            joints,
            excluded,
            materials: touches.materials,
            forces,
            friction: FrictionModel::Ellipsoid,
            time_step: model.time_step,
            scored_step: DEFAULT_STEP,
            truth: Truth::default(),
            published_truth: None,
            is_as_published: false,
        };
        Ok(TreeScene { scene, notes: notes.into_vec() })
    }
}

/// The shape of a body in its frame, that frame in the frame of the link, and the principal moments about it. One primitive that
/// weighs as such keeps its frame; a body that nothing touches gets a ball.
fn in_body_frame(
    parts: Vec<CompoundPart>,
    mass: &drystone_contact::shape::MassProperties,
) -> Result<(Arc<Shape>, Pose, DVec3), TreeProblem> {
    if let [CompoundPart { shape, pose }] = &parts[..]
        && shape.as_primitive().is_some()
    {
        let turn = DMat3::from_quat(pose.rotation);
        let inertia = turn.transpose() * mass.inertia * turn;
        let moments = inertia.diagonal();
        let products = [inertia.x_axis.y, inertia.x_axis.z, inertia.y_axis.z].map(f64::abs);
        let is_own = products.iter().all(|&product| product <= NO_PRODUCT * moments.element_sum());
        if is_own && pose.translation.distance(mass.centre) <= NO_PRODUCT * shape.radius() {
            return Ok((Arc::clone(shape), *pose, moments));
        }
    }
    let frame = Pose::from_parts(mass.centre, DQuat::from_mat3(&mass.principal_axes).normalize());
    let shape = match parts.is_empty() {
        true => stand_in(&mass.principal_moments, mass.mass)?,
        false => Shape::from(Compound::new(parts)?.in_frame(&frame)),
    };
    Ok((Arc::new(shape), frame, mass.principal_moments))
}

/// A ball for a body without a shape that anything could touch, of the radius with which it would have its mean moment (kg m²).
fn stand_in(moments: &DVec3, mass: f64) -> Result<Shape, TreeProblem> {
    let mean = moments.element_sum() / 3.0;
    Ok(Ball::new((2.5 * mean / mass).sqrt())?.into())
}

fn normalized(pose: Pose) -> Pose {
    Pose { rotation: pose.rotation.normalize(), ..pose }
}

fn within_bounds(position: DVec3, link: &Link) -> Result<(), TreeError> {
    let found = position.abs().max_element();
    match number::within_bounds(position) {
        Ok(_) => Ok(()),
        Err(_) => Err(TreeError::new(link.place.clone(), TreeProblem::Magnitude { found })),
    }
}
