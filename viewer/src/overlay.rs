//! What one reads and clicks, over what is drawn: the panel's camera and its pass.

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{CameraOutputMode, RenderTarget};
use bevy::prelude::*;
use bevy::render::render_resource::BlendState;
use bevy_egui::egui::{self, FontId, UiBuilder};
use bevy_egui::{
    EguiContexts, EguiGlobalSettings, EguiInput, EguiPlugin, EguiPreUpdateSet, EguiPrimaryContextPass,
    PrimaryEguiContext,
};

use crate::Viewer;
use crate::camera::Free;
use crate::model::State;
use crate::model::shown::RIGHT;
use crate::ui;

/// What stands over the picture.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// Everything: panel, timeline, help, and what is over the views.
    Window,
    /// What a picture says of itself: the legend, if the view has one, and a heading a track where two are compared.
    Picture {
        /// Whether a line below says what one sees.
        has_caption: bool,
    },
}

/// Whether time stands still: then nothing is animated.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IsStill(pub bool);

/// Shows an [`Overlay`] and gives the cameras what it leaves free.
pub struct OverlayPlugin {
    /// Over what.
    pub target: RenderTarget,
    /// What.
    pub overlay: Overlay,
}

impl Plugin for OverlayPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(EguiPlugin::default()).insert_resource(self.overlay).init_resource::<IsStill>();
        app.world_mut().resource_mut::<EguiGlobalSettings>().auto_create_primary_context = false;
        let target = self.target.clone();
        app.add_systems(Startup, move |mut commands: Commands| spawn(&mut commands, &target));
        app.add_systems(EguiPrimaryContextPass, show);
        let between = (EguiPreUpdateSet::ProcessInput, EguiPreUpdateSet::BeginPass);
        app.add_systems(PreUpdate, come_to_rest.after(between.0).before(between.1));
    }
}

/// After so many frames in which nothing happened nothing is drawn again.
const RESTLESS: u32 = 3;

/// Takes away the event that says in every frame which modifiers are held, once nothing else has happened for a while: egui draws
/// again whenever there is an event, so that a window at rest would never rest.
fn come_to_rest(mut inputs: Query<&mut EguiInput>, mut quiet: Local<u32>, mut held: Local<Option<egui::Modifiers>>) {
    for mut input in &mut inputs {
        let mut is_news = |event: &egui::Event| match event {
            egui::Event::ModifiersChanged(now) => held.replace(*now) != Some(*now),
            _ => true,
        };
        let news = input.events.iter().filter(|event| is_news(event)).count();
        *quiet = if news > 0 { 0 } else { quiet.saturating_add(1) };
        if *quiet > RESTLESS {
            input.events.clear();
        }
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
    is_still: Res<IsStill>,
    mut viewer: ResMut<Viewer>,
    mut free: ResMut<Free>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    ctx.set_theme(egui::Theme::Light);
    if is_still.0 {
        // Nothing fades in where time stands still.
        ctx.all_styles_mut(|style| style.animation_time = 0.0);
    }
    let builder = UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(ctx.viewport_rect());
    let mut root = egui::Ui::new(ctx.clone(), "root".into(), builder);
    // What changes is noticed where it is drawn.
    let state = &mut viewer.bypass_change_detection().0;
    let views: Vec<egui::Rect> = match *overlay {
        Overlay::Window => ui::show(&mut root, state).views,
        Overlay::Picture { has_caption } => picture(&mut root, state, has_caption),
    };
    let rect = |view: &egui::Rect| Rect::new(view.min.x, view.min.y, view.max.x, view.max.y);
    free.set_if_neq(Free(views.iter().map(rect).collect()));
    Ok(())
}

/// The height of the caption, points.
const CAPTION: f32 = 30.0;

/// What a picture says of itself; where there is room for what is drawn.
fn picture(root: &mut egui::Ui, state: &State, has_caption: bool) -> Vec<egui::Rect> {
    if has_caption {
        let all = root.available_rect_before_wrap();
        let (_, strip) = all.split_top_bottom_at_y(all.bottom() - CAPTION);
        let visuals = root.visuals();
        let (font, colour) = (FontId::proportional(14.0), visuals.strong_text_color());
        let painter = root.painter();
        painter.rect_filled(strip, 0.0, visuals.panel_fill);
        let galley = painter.layout(caption(state), font, colour, strip.width() - 24.0);
        painter.galley(strip.left_center() + egui::vec2(12.0, -0.5 * galley.size().y), galley, colour);
        let mut above = root.new_child(UiBuilder::new().max_rect(all.with_max_y(strip.top())));
        return over(&mut above, state);
    }
    over(root, state)
}

fn over(root: &mut egui::Ui, state: &State) -> Vec<egui::Rect> {
    let views = ui::views::show(root, state);
    for (track, &view) in views.iter().enumerate() {
        ui::legend::show(root.ctx(), state, track, view);
    }
    views
}

/// Scene, step, and of a single run its method, its contacts and their quality; what is compared has headings of its own.
pub fn caption(state: &State) -> String {
    let Some(shown) = state.shown(0) else { return state.request().what.to_string() };
    let start = format!("{}, step {}: ", shown.subject.scene, shown.frame.step);
    if let Some(other) = state.compared() {
        return format!("{start}{} and {other}", shown.subject.way_name());
    }
    let count = shown.frame.contacts.len();
    let text = format!("{start}{}, {count} contacts", shown.subject.way_name());
    let known: Vec<f64> = shown.examined.contacts.iter().filter_map(|contact| contact.quality).collect();
    if known.is_empty() {
        return text;
    }
    let right = known.iter().filter(|&&quality| quality > RIGHT).count();
    format!("{text}, {right} with an expected normal")
}
