//! Bodies and contacts as they are drawn, with or without physics behind them.
//!
//! An application puts plain data on entities: [`DrawnBody`], [`DrawnSurface`], [`ContactMarks`], [`ContactAreas`], [`Lines`],
//! [`Highlight`]. [`DrawPlugin`] turns them into meshes and lines on child entities, each of which says by its [`Part`]
//! what it draws, and keeps them up to date with the data and with [`Layers`], the one configuration of what is drawn and
//! how. Everything is given in the frame of its entity, in metres; y is up.
//!
//! Parts take over the `RenderLayers` of their owner, so two cameras can show different things, and are hidden with it.
//! Data that are not finite are left out. Neither a window nor a renderer is needed: without the assets of Bevy's mesh,
//! material and gizmo plugins nothing is made.

mod area;
mod body;
mod colour;
mod drawing;
mod highlight;
mod layers;
mod lines;
mod mark;
mod part;
mod polygon;
mod surface;
mod triangles;

#[cfg(test)]
mod tests;

pub use area::{ContactArea, ContactAreas};
pub use body::{BodyLook, DrawnBody};
pub use highlight::Highlight;
pub use layers::{BodyStyle, Layers};
pub use lines::Lines;
pub use mark::{ContactMark, ContactMarks};
pub use part::{LineSet, Part};
pub use surface::DrawnSurface;

use bevy::asset::AssetEventSystems;
use bevy::camera::visibility::VisibilitySystems;
use bevy::gizmos::GizmoAsset;
use bevy::pbr::StandardMaterial;
use bevy::prelude::*;
use bevy::transform::TransformSystems;

/// Draws bodies, contacts, areas and lines from the components of this module.
///
/// Lights and cameras are the application's. Changes made up to `PostUpdate` are seen in the same frame.
#[derive(Clone, Debug, Default)]
pub struct DrawPlugin {
    /// The [`Layers`] to begin with.
    pub layers: Layers,
}

/// When the drawing happens, in `PostUpdate`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawSystems {
    /// Meshes and lines are made for what has changed.
    Make,
    /// Parts take over the render layers and the visibility of their owners.
    Follow,
}

impl Plugin for DrawPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.layers.clone());
        app.init_resource::<body::ShapeCache>().init_resource::<colour::MaterialCache>();
        let make = (body::draw, surface::draw, mark::draw, area::draw, lines::draw, highlight::draw);
        let are_assets_there = resource_exists::<Assets<Mesh>>
            .and_then(resource_exists::<Assets<StandardMaterial>>)
            .and_then(resource_exists::<Assets<GizmoAsset>>);
        app.add_systems(PostUpdate, make.in_set(DrawSystems::Make).run_if(are_assets_there));
        let follow = (
            part::follow_layers.before(VisibilitySystems::CheckVisibility),
            part::follow_visibility.after(VisibilitySystems::VisibilityPropagate),
        );
        app.add_systems(PostUpdate, follow.in_set(DrawSystems::Follow));
        app.configure_sets(
            PostUpdate,
            (
                DrawSystems::Make.before(AssetEventSystems).before(TransformSystems::Propagate),
                DrawSystems::Follow.after(DrawSystems::Make),
            ),
        );
    }
}
