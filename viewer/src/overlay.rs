//! What one reads and clicks, over what is drawn: the panel's camera and its pass.

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{CameraOutputMode, RenderTarget};
use bevy::prelude::*;
use bevy::render::render_resource::BlendState;
use bevy_egui::egui::{self, Align2, FontId, UiBuilder};
use bevy_egui::{EguiContexts, EguiGlobalSettings, EguiPlugin, EguiPrimaryContextPass, PrimaryEguiContext};

use crate::Viewer;
use crate::camera::Free;
use crate::model::State;

/// What stands over the picture.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// Everything: panel, timeline, help, and what is over the views.
    Window,
    /// What a picture says of itself.
    Picture {
        /// Whether a line below says what one sees.
        has_caption: bool,
    },
}

/// Shows an [`Overlay`] and gives the cameras what it leaves free.
pub struct OverlayPlugin {
    /// Over what.
    pub target: RenderTarget,
    /// What.
    pub overlay: Overlay,
}

impl Plugin for OverlayPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(EguiPlugin::default()).insert_resource(self.overlay);
        app.world_mut().resource_mut::<EguiGlobalSettings>().auto_create_primary_context = false;
        let target = self.target.clone();
        app.add_systems(Startup, move |mut commands: Commands| spawn(&mut commands, &target));
        app.add_systems(EguiPrimaryContextPass, show);
    }
}

/// A camera of its own, after the others, that draws nothing else.
fn spawn(commands: &mut Commands, target: &RenderTarget) {
    let camera = Camera {
        order: 10,
        output_mode: CameraOutputMode::Write {
            blend_state: Some(BlendState::ALPHA_BLENDING),
            clear_color: ClearColorConfig::None,
        },
        clear_color: ClearColorConfig::Custom(Color::NONE),
        ..default()
    };
    commands.spawn((PrimaryEguiContext, Camera2d, camera, target.clone(), RenderLayers::none(), Msaa::Off));
}

fn show(
    mut contexts: EguiContexts,
    overlay: Res<Overlay>,
    mut viewer: ResMut<Viewer>,
    mut free: ResMut<Free>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    ctx.set_theme(egui::Theme::Light);
    let builder = UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(ctx.viewport_rect());
    let mut root = egui::Ui::new(ctx.clone(), "root".into(), builder);
    // What changes is noticed where it is drawn.
    let state = &mut viewer.bypass_change_detection().0;
    let views: Vec<egui::Rect> = match *overlay {
        Overlay::Window => Vec::new(),
        Overlay::Picture { has_caption } => picture(&mut root, state, has_caption),
    };
    let rect = |view: &egui::Rect| Rect::new(view.min.x, view.min.y, view.max.x, view.max.y);
    free.set_if_neq(Free(views.iter().map(rect).collect()));
    Ok(())
}

/// What a picture says of itself; where there is room for what is drawn.
fn picture(root: &mut egui::Ui, state: &State, has_caption: bool) -> Vec<egui::Rect> {
    let all = root.available_rect_before_wrap();
    if has_caption {
        let (font, colour) = (FontId::proportional(14.0), root.visuals().strong_text_color());
        let at = all.center_bottom() - egui::vec2(0.0, 8.0);
        root.painter().text(at, Align2::CENTER_BOTTOM, caption(state), font, colour);
    }
    Vec::new()
}

/// Scene, method, step, contacts and their quality in one line.
pub fn caption(state: &State) -> String {
    let parts = (0..state.tracks().len()).filter_map(|track| {
        let shown = state.shown(track)?;
        let count = shown.frame.contacts.len();
        let mut text = format!("{}, {count} contacts", shown.subject.method_name());
        let known: Vec<f64> = shown.examined.contacts.iter().filter_map(|contact| contact.quality).collect();
        if !known.is_empty() {
            let right = known.iter().filter(|&&quality| quality > crate::model::shown::RIGHT).count();
            text += &format!(", {right} with an expected normal");
        }
        Some(text)
    });
    let parts: Vec<String> = parts.collect();
    let scene = state.shown(0).map_or("", |shown| shown.subject.scene.as_str());
    format!("{scene}, step {}: {}", state.playback.step, parts.join("; "))
}
