//! What is shown as entities that are drawn.
//!
//! ```text
//! Viewer(State) ─ advance ─▶ Shown ─ set ─▶ entities of each track ─ place, draw ─▶ components of `drystone_bevy::draw`
//! ```
//! Every system computes what should be and writes it only where it differs, so that nothing is made anew that has not
//! changed. All is drawn relative to the middle of the scene ([`Extent::middle`]).

pub mod bodies;
pub mod contacts;
pub mod extent;
pub mod highlight;
pub mod set;
pub mod space;
pub mod stage;
pub mod surfaces;

use bevy::prelude::*;
use drystone_bevy::draw::DrawPlugin;

pub use bodies::BodyOf;
pub use extent::Extent;
pub use highlight::Side;
pub use set::OfTrack;
pub use stage::Stage;
pub use surfaces::SurfaceOf;

/// Draws what [`crate::Viewer`] shows. Cameras and lights are those of [`crate::camera`].
pub struct ScenePlugin;

/// When this happens, in `Update`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScenePrepared;

impl Plugin for ScenePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(DrawPlugin::default()).init_resource::<Stage>();
        let systems = (
            stage::advance,
            stage::set,
            (stage::configure, bodies::place, surfaces::place, contacts::draw, highlight::draw),
        )
            .chain();
        app.add_systems(Update, systems.in_set(ScenePrepared));
    }
}
