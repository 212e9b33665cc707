//! The viewer in a window.

use std::path::PathBuf;

use bevy::camera::RenderTarget;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::window::{PrimaryWindow, WindowCloseRequested, WindowRef, WindowResolution};
use bevy::winit::WinitSettings;

use crate::Viewer;
use crate::camera::CameraPlugin;
use crate::controls::ControlsPlugin;
use crate::driver::{DriverError, check_display, guard};
use crate::keys::{self, TakeScreenshot};
use crate::model::{Camera, State};
use crate::overlay::{Overlay, OverlayPlugin};
use crate::remembered::Remembered;
use crate::scene::ScenePlugin;

/// How the window is opened.
pub struct Settings {
    /// How every scene is looked at first.
    pub camera: Camera,
    /// Width and height, points.
    pub size: [f64; 2],
    /// Where settings are remembered.
    pub file: Option<PathBuf>,
}

/// Where settings are remembered.
#[derive(Resource)]
struct SettingsFile(Option<PathBuf>);

/// Opens a window and shows the state until it is closed.
///
/// # Errors
/// There is no display or no driver; the window broke off.
pub fn run(state: State, settings: Settings) -> Result<(), DriverError> {
    check_display()?;
    let exit = guard(|| application(state, settings).run())?;
    match exit {
        AppExit::Success => Ok(()),
        AppExit::Error(code) => Err(DriverError::Broken(format!("the window ended with code {code}"))),
    }
}

fn application(state: State, settings: Settings) -> App {
    let [width, height] = settings.size.map(|side| side.round().clamp(200.0, 20_000.0) as u32);
    let window = Window {
        title: title(&state),
        name: Some("drystone-viewer".into()),
        resolution: WindowResolution::new(width, height),
        ..Window::default()
    };
    let windows = WindowPlugin { primary_window: Some(window), ..WindowPlugin::default() };
    let target = RenderTarget::Window(WindowRef::Primary);
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(windows).disable::<LogPlugin>())
        .insert_resource(Viewer(state))
        .insert_resource(SettingsFile(settings.file))
        .insert_resource(WinitSettings::desktop_app())
        .add_plugins((
            ScenePlugin,
            CameraPlugin { start: settings.camera, target: target.clone(), msaa: Msaa::Sample4 },
            OverlayPlugin { target, overlay: Overlay::Window },
            ControlsPlugin,
            keys::plugin,
        ))
        .add_systems(PostStartup, spare_slow_drivers)
        .add_systems(Update, (say_title, keep_going, take_screenshots, remember));
    app
}

/// What stands in the title: scene, method, step.
pub fn title(state: &State) -> String {
    let request = state.request();
    let scene = state.shown(0).map_or_else(|| request.what.to_string(), |shown| shown.subject.scene.clone());
    let methods = match (state.shown(0), state.compared()) {
        (Some(shown), None) => shown.subject.way_name().to_owned(),
        (_, None) => request.way_name().to_owned(),
        (_, Some(other)) => format!("{} and {other}", request.way_name()),
    };
    format!("{scene}, {methods}, step {} – Drystone", state.playback.step)
}

fn say_title(viewer: Res<Viewer>, mut windows: Query<&mut Window, With<PrimaryWindow>>) {
    for mut window in &mut windows {
        let title = title(&viewer);
        if window.title != title {
            window.title = title;
        }
    }
}

/// A processor that draws in software has no time for smooth edges.
fn spare_slow_drivers(adapter: Option<Res<RenderAdapterInfo>>, mut cameras: Query<&mut Msaa>) {
    let is_processor = |adapter: Res<RenderAdapterInfo>| format!("{:?}", adapter.device_type) == "Cpu";
    if adapter.is_some_and(is_processor) {
        cameras.iter_mut().for_each(|mut msaa| *msaa = Msaa::Off);
    }
}

/// Frames follow each other only while something moves or is awaited.
fn keep_going(viewer: Res<Viewer>, mut was_going: Local<Option<bool>>, mut pace: ResMut<WinitSettings>) {
    let is_going = viewer.playback.is_playing || viewer.is_waiting();
    if *was_going != Some(is_going) {
        *pace = if is_going { WinitSettings::game() } else { WinitSettings::desktop_app() };
        *was_going = Some(is_going);
    }
}

/// Writes pictures of the window into the folder that the program was started in, and says where.
fn take_screenshots(mut asked: MessageReader<TakeScreenshot>, viewer: Res<Viewer>, mut commands: Commands) {
    for _ in asked.read() {
        let path = free_name(&viewer);
        commands.spawn(Screenshot::primary_window()).observe(move |shot: On<ScreenshotCaptured>| {
            let picture = shot.image.clone().try_into_dynamic().map_err(|error| anyhow::anyhow!("{error}"));
            match picture.and_then(|picture| crate::film::write(&picture.into_rgb8(), &path)) {
                Ok(()) => eprintln!("drystone-viewer: wrote {}", path.display()),
                Err(error) => eprintln!("drystone-viewer: {error:#}"),
            }
        });
    }
}

/// A name that says what one sees, and that no file has.
fn free_name(state: &State) -> PathBuf {
    let scene: String = state.shown(0).map_or("scene", |shown| shown.subject.scene.as_str()).replace(['/', '\\'], "-");
    let method = state.shown(0).map_or("none", |shown| shown.subject.way_name()).replace(' ', "-");
    let name = format!("drystone-{scene}-{method}-{}", state.playback.step);
    let numbered = (2..).map(|number| PathBuf::from(format!("{name}-{number}.png")));
    let mut names = std::iter::once(PathBuf::from(format!("{name}.png"))).chain(numbered);
    names.find(|path| !path.exists()).unwrap_or_default()
}

/// Remembers the settings when the window is about to be closed.
fn remember(
    mut closing: MessageReader<WindowCloseRequested>,
    viewer: Res<Viewer>,
    file: Res<SettingsFile>,
    windows: Query<&Window, With<PrimaryWindow>>,
) {
    if closing.read().next().is_none() {
        return;
    }
    let Some(path) = &file.0 else { return };
    let size = windows.iter().next().map(|window| [window.width().into(), window.height().into()]);
    let size = size.unwrap_or(Remembered::default().window);
    if let Err(error) = Remembered::of(&viewer, size).write(path) {
        eprintln!("drystone-viewer: the settings cannot be remembered in {}: {error}", path.display());
    }
}
