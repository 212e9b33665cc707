//! Pictures without a window: the same scene, drawn by whatever Vulkan driver there is, also in software.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bevy::app::SubApps;
use bevy::asset::RenderAssetUsages;
use bevy::camera::RenderTarget;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_resource::{Extent3d, PollType, TextureDimension, TextureFormat, TextureUsages};
use bevy::render::renderer::{RenderAdapterInfo, RenderDevice};
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use image::RgbImage;

use crate::Viewer;
use crate::camera::{CameraPlugin, Gaze};
use crate::driver::{DriverError, guard};
use crate::model::{self, State};
use crate::overlay::{IsStill, Overlay, OverlayPlugin};
use crate::scene::ScenePlugin;

/// How pictures are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// How every scene is looked at.
    pub camera: model::Camera,
    /// Whether edges are smoothed.
    pub is_smooth: bool,
    /// Whether a caption stands below.
    pub has_caption: bool,
    /// Whether the panel and all that belongs to the window is there as well.
    pub has_panel: bool,
    /// How long a step may take to be made before it is given up, s.
    pub patience: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 720,
            camera: model::Camera::default(),
            is_smooth: true,
            has_caption: true,
            has_panel: false,
            patience: 600.0,
        }
    }
}

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeadlessError {
    /// It cannot be opened.
    #[error("{0}")]
    Opening(String),
    /// The run failed before it came to the step.
    #[error("{0}")]
    Run(String),
    /// A step was not made in time.
    #[error("step {step} was not made within {seconds} s")]
    Late {
        /// Which.
        step: u64,
        /// How long it was waited for.
        seconds: u64,
    },
    /// The renderer did not hand out what it drew.
    #[error("the renderer did not hand out the picture")]
    NoPicture,
}

/// Frames until everything that follows from a change is drawn: entities are made, the panel leaves room, cameras move there.
const FRAMES: usize = 5;
/// Frames until the renderer hands out a picture, at most.
const PATIENCE: usize = 60;

/// Draws states into pictures.
pub struct Headless {
    apps: SubApps,
    target: Handle<Image>,
    settings: Settings,
}

impl Headless {
    /// Starts a renderer.
    ///
    /// # Errors
    /// There is no driver to draw with.
    pub fn new(state: State, settings: Settings) -> Result<Self, DriverError> {
        guard(|| Self::start(state, settings))
    }

    fn start(state: State, settings: Settings) -> Self {
        let mut app = App::new();
        let windows =
            WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..WindowPlugin::default() };
        // All pipelines are there in the first frame.
        let render = RenderPlugin { synchronous_pipeline_compilation: true, ..RenderPlugin::default() };
        app.add_plugins(
            DefaultPlugins
                .set(windows)
                .set(render)
                .disable::<LogPlugin>()
                .disable::<WinitPlugin>()
                .disable::<PipelinedRenderingPlugin>(),
        );
        let target = app.world_mut().resource_mut::<Assets<Image>>().add(image(settings.width, settings.height));
        let into = RenderTarget::from(target.clone());
        let msaa = if settings.is_smooth { Msaa::Sample4 } else { Msaa::Off };
        let overlay = match settings.has_panel {
            true => Overlay::Window,
            false => Overlay::Picture { has_caption: settings.has_caption },
        };
        app.insert_resource(Viewer(state))
            // Nothing depends on how long a frame takes.
            .insert_resource(IsStill(true))
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO))
            .add_plugins((
                ScenePlugin,
                CameraPlugin { start: settings.camera, target: into.clone(), msaa },
                OverlayPlugin { target: into, overlay },
            ));
        app.finish();
        app.cleanup();
        Self { apps: std::mem::take(app.sub_apps_mut()), target, settings }
    }

    /// What draws, for people.
    pub fn adapter(&self) -> String {
        let info = self.apps.main.world().get_resource::<RenderAdapterInfo>();
        info.map_or_else(|| "unknown".into(), |info| format!("{} ({})", info.name, info.backend))
    }

    /// What is drawn.
    pub fn state(&mut self) -> &mut State {
        &mut self.apps.main.world_mut().resource_mut::<Viewer>().into_inner().0
    }

    /// Draws another state, looked at in another way.
    pub fn show(&mut self, state: State, camera: model::Camera) {
        let world = self.apps.main.world_mut();
        world.resource_mut::<Viewer>().0 = state;
        *world.resource_mut::<Gaze>() = Gaze::new(camera);
    }

    /// Looks at the same from another side.
    pub fn turn(&mut self, camera: model::Camera) {
        self.apps.main.world_mut().resource_mut::<Gaze>().orbit.look_from(camera.yaw, camera.pitch);
    }

    /// One frame, drawn to its end.
    pub fn update(&mut self) {
        self.apps.update();
        if let Some(device) = self.apps.main.world().get_resource::<RenderDevice>() {
            // A device that is lost says so again where its picture is missed.
            let _ = device.wgpu_device().poll(PollType::Wait { submission_index: None, timeout: None });
        }
    }

    /// The picture of the step that is asked for.
    ///
    /// # Errors
    /// [`HeadlessError`].
    pub fn picture(&mut self) -> Result<RgbImage, HeadlessError> {
        let patience = self.settings.patience;
        let state = self.state();
        let asked = state.playback.step;
        let is_there = state.wait(patience);
        // What came before a failure can be looked at.
        let is_reached = state.shown(0).is_some_and(|shown| shown.frame.step >= asked);
        if let Some(why) =
            state.failure().filter(|_| !is_reached || state.tracks().iter().any(|t| t.subject().is_none()))
        {
            let is_open = state.tracks().iter().all(|track| track.subject().is_some());
            return Err(if is_open { HeadlessError::Run(why.into()) } else { HeadlessError::Opening(why.into()) });
        }
        if !is_there {
            return Err(HeadlessError::Late { step: state.playback.step, seconds: patience as u64 });
        }
        (0..FRAMES).for_each(|_| self.update());
        self.capture()
    }

    fn capture(&mut self) -> Result<RgbImage, HeadlessError> {
        let captured: Arc<Mutex<Option<Image>>> = Arc::default();
        let into = Arc::clone(&captured);
        let target = self.target.clone();
        self.apps.main.world_mut().spawn(Screenshot::image(target)).observe(move |shot: On<ScreenshotCaptured>| {
            *into.lock().unwrap_or_else(PoisonError::into_inner) = Some(shot.image.clone());
        });
        for _ in 0..PATIENCE {
            self.update();
            let image = captured.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(image) = image {
                let picture = image.try_into_dynamic().map_err(|_| HeadlessError::NoPicture)?;
                return Ok(picture.into_rgb8());
            }
        }
        Err(HeadlessError::NoPicture)
    }
}

fn image(width: u32, height: u32) -> Image {
    let size = Extent3d { width: width.max(1), height: height.max(1), depth_or_array_layers: 1 };
    let format = TextureFormat::Rgba8UnormSrgb;
    let mut image = Image::new_uninit(size, TextureDimension::D2, format, RenderAssetUsages::RENDER_WORLD);
    image.texture_descriptor.usage |= TextureUsages::RENDER_ATTACHMENT;
    image
}
