//! Ctrl-C, and the signals by which systems end programs: the program ends within a second, whatever it does.
//!
//! Where work can be left in between it is: whoever does it watches for the wish to end, finishes what is there and says so. Where nobody
//! watches, or a step takes too long, the program ends at once, and says what is left.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};

use super::output::note;

/// How long whoever watches may take to notice.
const PATIENCE: Duration = Duration::from_millis(800);

/// Between two looks for signals.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// What is known of the signals of the process.
struct Signals {
    /// The number of the last one; 0: none. A look takes it.
    last: Arc<AtomicUsize>,
    /// That of the last one that was received; 0: none.
    received: AtomicUsize,
    /// Whether the program is to end.
    asked: Arc<AtomicBool>,
    /// Whether whoever watches has noticed.
    is_noticed: AtomicBool,
    /// How many watch.
    watching: AtomicUsize,
    /// What there will be of the work if it is left.
    left: Mutex<Option<String>>,
    /// Held while a file takes its place.
    writing: Mutex<()>,
}

static SIGNALS: OnceLock<Signals> = OnceLock::new();

fn signals() -> &'static Signals {
    SIGNALS.get_or_init(|| Signals {
        last: Arc::default(),
        received: AtomicUsize::new(0),
        asked: Arc::default(),
        is_noticed: AtomicBool::new(false),
        watching: AtomicUsize::new(0),
        left: Mutex::default(),
        writing: Mutex::default(),
    })
}

/// Takes the signals of the process over.
///
/// # Errors
/// The system refuses.
pub fn take_over() -> std::io::Result<()> {
    static IS_DONE: AtomicBool = AtomicBool::new(false);
    if IS_DONE.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let signals = signals();
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register_usize(signal, Arc::clone(&signals.last), signal as usize)?;
    }
    // Beyond the limit of a file's size writing fails, which is reported, and temporary files go.
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    std::thread::Builder::new().name("signals".into()).spawn(|| {
        loop {
            std::thread::sleep(BETWEEN_LOOKS);
            let signal = signals.last.swap(0, Ordering::Relaxed);
            if signal != 0 {
                signals.receive(signal);
            }
        }
    })?;
    Ok(())
}

/// The status of a program that was asked to end and has left its work: 130 or 143, as shells say it. `None`: it was not asked.
pub fn status() -> Option<u8> {
    let signal = signals().received.load(Ordering::Acquire);
    (signal != 0).then(|| status_of(signal))
}

fn status_of(signal: usize) -> u8 {
    128_u8.saturating_add(u8::try_from(signal).unwrap_or(u8::MAX))
}

/// The program does not end at once while this is held, for some time: a file takes its place.
pub fn hold() -> MutexGuard<'static, ()> {
    signals().writing.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Signals {
    fn receive(&self, signal: usize) {
        // Whoever is asked ends with the status of the signal, so that this is known before.
        let is_second = self.received.swap(signal, Ordering::AcqRel) != 0;
        self.asked.store(true, Ordering::Release);
        if is_second || self.watching.load(Ordering::Relaxed) == 0 {
            self.end(signal);
        }
        let asked = Instant::now();
        while asked.elapsed() < PATIENCE {
            std::thread::sleep(BETWEEN_LOOKS);
            if self.is_noticed.load(Ordering::Relaxed) {
                return;
            }
        }
        self.end(signal);
    }

    /// Ends the program.
    fn end(&self, signal: usize) -> ! {
        let asked = Instant::now();
        while asked.elapsed() < PATIENCE / 8 && self.writing.try_lock().is_err() {
            std::thread::sleep(BETWEEN_LOOKS);
        }
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        note(&format!(
            "drystone: ended as asked; {}",
            left.as_deref().unwrap_or("what was not finished is not written")
        ));
        std::process::exit(i32::from(status_of(signal)))
    }
}

/// Somebody watches for the wish to end as long as this is there.
pub struct Interrupt(&'static Signals);

impl Interrupt {
    /// Begins to watch; [`take_over`] comes before it.
    pub fn watch() -> Self {
        let signals = signals();
        signals.watching.fetch_add(1, Ordering::Relaxed);
        Self(signals)
    }

    /// What is set when it is asked for.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0.asked)
    }

    /// Whether it was asked for.
    pub fn is_asked(&self) -> bool {
        let is_asked = self.0.asked.load(Ordering::Acquire);
        if is_asked {
            self.0.is_noticed.store(true, Ordering::Relaxed);
        }
        is_asked
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        self.0.watching.fetch_sub(1, Ordering::Relaxed);
    }
}

/// As long as this is there, the text says what is left of the work if the program has to end within it.
pub struct Left(());

impl Left {
    /// Begins; the text is a clause.
    pub fn behind(text: String) -> Self {
        *signals().left.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
        Self(())
    }
}

impl Drop for Left {
    fn drop(&mut self) {
        *signals().left.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
