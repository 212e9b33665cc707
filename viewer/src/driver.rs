//! What drawing needs of the machine, and what one is told where it is missing.

use std::env;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, PoisonError};

/// Why nothing can be drawn here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DriverError {
    /// There is no display.
    #[error(
        "there is no display to open a window on ({0}); set DISPLAY (under Wayland by Xwayland), install \
         libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0 libxkbcommon0 (Debian), or write a picture: \
         --picture FILE needs no display"
    )]
    NoDisplay(String),
    /// There is no Vulkan driver.
    #[error(
        "there is no Vulkan driver to draw with ({0}); install mesa-vulkan-drivers libvulkan1 (Debian; they also draw \
         without a graphics card), for instance by scripts/install-packages"
    )]
    NoDriver(String),
    /// Something else broke off.
    #[error("drawing broke off by an error of the program; please report it: {0}")]
    Broken(String),
}

/// Whether there is a display, by what the environment says.
///
/// # Errors
/// [`DriverError::NoDisplay`].
pub fn check_display() -> Result<(), DriverError> {
    let names = |variable| env::var_os(variable).is_some_and(|value| !value.is_empty());
    if cfg!(all(unix, not(target_os = "macos"))) && !names("DISPLAY") {
        return Err(DriverError::NoDisplay("DISPLAY is not set".into()));
    }
    Ok(())
}

/// Does something that draws. Window system and renderer do not return an error where something is missing, they panic;
/// here their panics become one.
///
/// # Errors
/// [`DriverError`].
pub fn guard<T>(draw: impl FnOnce() -> T) -> Result<T, DriverError> {
    // There is one hook for all threads; two that changed it at once would leave the wrong one.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let said: Arc<Mutex<Option<String>>> = Arc::default();
    let into = Arc::clone(&said);
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let payload = info.payload();
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned()));
        let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line())).unwrap_or_default();
        // The first of several is the cause of the others.
        let mut said = into.lock().unwrap_or_else(PoisonError::into_inner);
        said.get_or_insert_with(|| text.unwrap_or_else(|| "no reason given".into()) + &place);
    }));
    let done = panic::catch_unwind(AssertUnwindSafe(draw));
    panic::set_hook(before);
    done.map_err(|_| {
        let text = said.lock().unwrap_or_else(PoisonError::into_inner).take();
        classify(&text.unwrap_or_else(|| "no reason given".into()))
    })
}

/// What a panic means.
fn classify(text: &str) -> DriverError {
    let line = text.lines().next().unwrap_or_default().trim().to_owned();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(&["event loop", "EventLoop", "XOpenDisplay", "XNotSupported", "Wayland", "X11", "libX11"]) {
        DriverError::NoDisplay(line)
    } else if has(&["find a GPU", "adapter", "Adapter", "Vulkan"]) {
        DriverError::NoDriver(line)
    } else {
        DriverError::Broken(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_errors_that_say_what_to_install() {
        assert_eq!(guard(|| 3), Ok(3));
        let driver = guard(|| panic!("Unable to find a GPU! Make sure you have installed required drivers!"));
        let driver: Result<(), _> = driver;
        assert!(matches!(driver, Err(DriverError::NoDriver(_))));
        assert!(driver.unwrap_err().to_string().contains("mesa-vulkan-drivers"));
        let display = classify("Failed to build event loop: Os(OsError { error: XNotSupported(XOpenDisplayFailed) })");
        assert!(display.to_string().contains("--picture") && display.to_string().contains("libx11-6"));
        assert!(
            matches!(classify("index out of bounds (a.rs:3)"), DriverError::Broken(text) if text.contains("a.rs:3"))
        );
    }
}
