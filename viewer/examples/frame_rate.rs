//! How fast a large scene is drawn, and how fast one goes through its steps.
//!
//! `cargo run --release -p drystone-viewer --example frame_rate [ROWS] [STEPS]`: a pyramid of boxes, drawn without a window by
//! whatever driver there is; then its steps are recorded and gone through in an order that jumps about. Times are of this
//! machine and of this moment.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use drystone::contact::generator::methods;
use drystone::engine::recording::{Recorder, RecordingSettings};
use drystone::scenes::builtin::BuiltIn;
use drystone::scenes::cases::Model;
use drystone::scenes::simulation::{self, WorldPreset};
use drystone_report::inspection::{Request, What};
use drystone_viewer::headless::{Headless, Settings};
use drystone_viewer::model::{BodyStyle, Camera, Command, State, View};

/// Frames of which the time is taken.
const FRAMES: usize = 20;

fn main() -> ExitCode {
    let number = |place: usize, usual: u64| std::env::args().nth(place).and_then(|n| n.parse().ok()).unwrap_or(usual);
    match measure(number(1, 37), number(2, 1000)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("frame_rate: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure(rows: u64, steps: u64) -> Result<()> {
    let request = Request {
        size: Some(rows as f64),
        method: methods::semi_local(),
        world_preset: WorldPreset::Embedding,
        ..Request::new(What::BuiltIn(BuiltIn::Pyramid))
    };
    let state = |style| {
        let view = View { bodies: style, ..View::default() };
        let mut state = State::new(request.clone(), view, State::DEFAULT_BUDGET);
        state.playback.go_to(1);
        state
    };
    let settings = |is_smooth| Settings { is_smooth, ..Settings::default() };
    for (style, is_smooth) in
        [(BodyStyle::SolidEdges, false), (BodyStyle::SolidEdges, true), (BodyStyle::Wireframe, false)]
    {
        let mut headless = Headless::new(state(style), settings(is_smooth))?;
        headless.picture()?;
        if style == BodyStyle::SolidEdges && !is_smooth {
            let adapter = headless.adapter();
            let shown = headless.state().shown(0).context("nothing is shown")?;
            let (bodies, contacts) = (shown.subject.bodies.len(), shown.frame.contacts.len());
            println!("{adapter}; {bodies} bodies, {contacts} contacts, 1280x720");
        }
        let mut times = Vec::new();
        for frame in 0..FRAMES {
            // The camera turns, so that every frame is another one.
            let began = Instant::now();
            headless.turn(Camera { yaw: 35.0 + frame as f64, ..Camera::default() });
            headless.update();
            times.push(began.elapsed());
        }
        let smooth = if is_smooth { "4 samples" } else { "1 sample" };
        say(&format!("a frame, {}, {smooth}", style.name()), times);
    }
    scrub(steps)
}

/// Goes through the steps of a recording.
fn scrub(steps: u64) -> Result<()> {
    let scene = BuiltIn::BoxStack.scene(Model::Procedural, Some(10.0))?;
    let mut world = simulation::world(&scene, &methods::semi_local(), WorldPreset::Embedding)?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("run");
    let settings = RecordingSettings { scene: scene.name.clone(), ..RecordingSettings::default() };
    let mut recorder = Recorder::create(&path, &world, &settings)?;
    for _ in 0..steps {
        recorder.step(&mut world)?;
    }
    recorder.finish()?;
    for has_replay in [false, true] {
        let mut state = State::new(Request::new(What::Recording(path.clone())), View::default(), State::DEFAULT_BUDGET);
        state.playback.go_to(if has_replay { steps } else { 0 });
        if !state.wait(600.0) {
            anyhow::bail!("the recording was not opened");
        }
        let times = (0..200_u64).map(|k| {
            let began = Instant::now();
            state.apply(Command::GoTo(1 + k * 7919 % steps));
            state.update(0.0);
            began.elapsed()
        });
        let from = if has_replay { "frames that were kept" } else { "the file, while it is replayed" };
        say(&format!("going to one of {steps} steps, from {from}"), times.collect());
    }
    Ok(())
}

fn say(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let ms = |time: Duration| 1000.0 * time.as_secs_f64();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{what}: {:.1} ms median, {:.1} ms worst", ms(median), ms(worst));
}
