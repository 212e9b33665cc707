//! What is wrong with a surface or its material.

use thiserror::Error;

use super::features::NamedPair;
use crate::handle::BodyHandle;

/// Why there is no simulation of a surface.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum AsynchronousError {
    /// No triangles.
    #[error("a surface without triangles: give at least one")]
    Empty,
    /// A coordinate that is not finite.
    #[error("vertex {vertex} is at {position}: coordinates must be finite")]
    NotFinite {
        /// From 0.
        vertex: usize,
        /// As given.
        position: String,
    },
    /// An index out of range, or one twice.
    #[error(
        "triangle {triangle} has the vertices {corners:?}, which must be three different ones of the {count} there are"
    )]
    Corners {
        /// From 0.
        triangle: usize,
        /// As given.
        corners: [u32; 3],
        /// Of vertices.
        count: usize,
    },
    /// A triangle without area.
    #[error("triangle {triangle}, of the vertices {corners:?}, has no area")]
    NoArea {
        /// From 0.
        triangle: usize,
        /// Its vertices.
        corners: [u32; 3],
    },
    /// A vertex that no triangle has.
    #[error("vertex {vertex} belongs to no triangle and has no mass: leave it out")]
    Unused {
        /// From 0.
        vertex: usize,
    },
    /// An edge of three triangles or more.
    #[error("{count} triangles meet at the edge between the vertices {} and {}: at most two may", edge[0], edge[1])]
    Crowded {
        /// Its vertices.
        edge: [u32; 2],
        /// Of triangles.
        count: usize,
    },
    /// Neighbours that turn in opposite ways.
    #[error(
        "triangles {} and {} run the same way along their common edge: their normals point to different sides; exchange \
         two vertices of one", triangles[0], triangles[1]
    )]
    Orientation {
        /// From 0.
        triangles: [usize; 2],
    },
    /// A parameter out of range.
    #[error("the {what} is {value}: it must be {must}")]
    Parameter {
        /// Its name.
        what: &'static str,
        /// As given.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// A force whose stable step is shorter than a tick.
    #[error(
        "the {what} at the vertices {vertices:?} needs steps of {step:e} s, shorter than a tick of {} s: it is too stiff for \
         the masses there",
        super::Ticks::DURATION
    )]
    TooStiff {
        /// Which force.
        what: &'static str,
        /// Its stencil.
        vertices: Vec<u32>,
        /// s.
        step: f64,
    },
    /// Two surfaces that pass through each other at the start.
    #[error(
        "triangles {} and {} pass through each other at the start: move the surfaces apart", triangles[0], triangles[1]
    )]
    Intersecting {
        /// From 0.
        triangles: [u32; 2],
    },
    /// A start under load.
    #[error(
        "{pair} are {distance} m apart at the start, within the thickness of {thickness} m: move them apart, or make the \
         thickness smaller than the shortest distance of parts of a surface that do not touch"
    )]
    TooClose {
        /// Both features.
        pair: NamedPair,
        /// m.
        distance: f64,
        /// m.
        thickness: f64,
    },
    /// Motion that has no solution, or one that time cannot resolve.
    #[error(
        "{pair} are {distance} m apart at {time} s and need layer {layers}: the motion leaves them no room, or is faster than the \
         contact can hold; nothing has passed through anything"
    )]
    NoProgress {
        /// Both features.
        pair: NamedPair,
        /// m.
        distance: f64,
        /// The layer that is one too many.
        layers: u32,
        /// s.
        time: f64,
    },
    /// No such scene.
    #[error("there is no scene of surfaces named '{name}'; there are {known}")]
    UnknownScene {
        /// As given.
        name: String,
        /// Those there are.
        known: String,
    },
    /// A file that is no mesh.
    #[error("the mesh of the surface cannot be read: {problem}")]
    Mesh {
        /// What is wrong.
        problem: String,
    },
    /// A velocity that is not a number.
    #[error("the velocity of vertex {vertex} is {velocity} at {time} s: forces have grown without bound")]
    Diverged {
        /// From 0.
        vertex: u32,
        /// m/s.
        velocity: String,
        /// s.
        time: f64,
    },
    /// A vertex of a body is moved by itself.
    #[error("vertex {vertex} belongs to body {body}: it moves with it, so give the body its motion")]
    OfBody {
        /// From 0.
        vertex: u32,
        /// From 0.
        body: u32,
    },
    /// No mass properties.
    #[error("the affine body cannot be made: {problem}")]
    Mass {
        /// What is wrong.
        problem: String,
    },
    /// Frames of a simulation whose broad phase is the hierarchy.
    #[error(
        "a simulation with the kinetic hierarchy runs by itself, not in frames that are recorded: add its contact by `with_contact`"
    )]
    Hierarchy,
    /// An affine body that may be turned inside out.
    #[error(
        "the affine body {body} is deformed too much, or too fast for its steps, at {time} s: make it stiffer or lighter, or what pushes it \
         weaker; nothing has passed through anything"
    )]
    Distorted {
        /// From 0.
        body: u32,
        /// s.
        time: f64,
    },
    /// A time that is not counted.
    #[error(
        "the simulation would have to go to {time} s, and counts time up to {end} s: make frames shorter, or fewer"
    )]
    TooLong {
        /// As given, s.
        time: f64,
        /// s.
        end: f64,
    },
    /// A surface or part that is too large or heavy for numbers.
    #[error(
        "triangle {triangle}, of the vertices {corners:?}, has an area or a mass that is not finite: make it smaller, or lighter"
    )]
    TooLarge {
        /// From 0.
        triangle: usize,
        /// Its vertices.
        corners: [u32; 3],
    },
    /// No such vertex.
    #[error("there is no vertex {vertex}; there are {count}, from 0")]
    NoVertex {
        /// As given.
        vertex: u32,
        /// Of vertices.
        count: usize,
    },
    /// A body of a simulator without bodies.
    #[error("there is no body {handle}: the asynchronous simulator moves deformable surfaces")]
    NoBody {
        /// As given.
        handle: BodyHandle,
    },
    /// It was asked to stop.
    #[error("the simulation was stopped at {time} s, as asked")]
    Interrupted {
        /// s.
        time: f64,
    },
    /// A time before the present.
    #[error("the simulation is at {now} s, and cannot go to {time} s")]
    Time {
        /// s.
        now: f64,
        /// As given, s.
        time: f64,
    },
}
