//! The viewer as a program: 0 done, 1 a part of the work failed or nothing can be drawn here, 2 bad usage or bad input.

use std::process::ExitCode;

use clap::Parser;
use drystone_viewer::arguments::Arguments;
use drystone_viewer::driver::DriverError;
use drystone_viewer::film::{film, write};
use drystone_viewer::gallery;
use drystone_viewer::headless::{Headless, HeadlessError};
use drystone_viewer::window;

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("drystone-viewer: {error:#}");
            let is_late = |error: &HeadlessError| !matches!(error, HeadlessError::Opening(_));
            let is_failure = error.downcast_ref::<DriverError>().is_some()
                || error.downcast_ref::<HeadlessError>().is_some_and(is_late)
                || error.downcast_ref::<std::io::Error>().is_some();
            ExitCode::from(if is_failure { 1 } else { 2 })
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if let Some(folder) = &arguments.gallery {
        return gallery::make(folder, arguments.again);
    }
    let (remembered, file) = arguments.remembered(&mut |note| eprintln!("drystone-viewer: {note}"));
    let state = arguments.state(&remembered)?;
    if let Some(path) = &arguments.picture {
        let picture = Headless::new(state, arguments.picture_settings())?.picture()?;
        return write(&picture, path);
    }
    if let Some((folder, steps)) = arguments.film.as_ref().zip(arguments.steps.as_ref()) {
        let mut headless = Headless::new(state, arguments.picture_settings())?;
        film(&mut headless, folder, steps, arguments.every, arguments.again)?;
        return Ok(());
    }
    let camera = arguments.camera.unwrap_or_default();
    Ok(window::run(state, window::Settings { camera, size: remembered.window, file })?)
}
