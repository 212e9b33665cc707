//! A run in the background: a thread opens it and makes its steps, and the frames gather here.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use drystone_report::inspection::{Frame, History, Opened, Request, Seeker, Subject, open};

/// How many frames may wait to be fetched.
const WAITING: usize = 32;

/// How far a run is.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// The scene is made or the recording is read.
    Opening,
    /// Steps are made, or will be when they are asked for.
    Ready,
    /// The recording has come to its end.
    Ended,
    /// It does not go on: why.
    Failed(String),
}

/// What the thread sends.
enum Message {
    Opened { subject: Arc<Subject>, seeker: Option<Box<Mutex<Seeker>>>, notes: Vec<String>, last: Option<u64> },
    Frame(Arc<Frame>),
    Failed(String),
    Ended,
}

/// How far the thread may go.
#[derive(Default)]
struct Goal {
    step: u64,
    is_over: bool,
}

/// A run and its moments.
pub struct Track {
    request: Request,
    subject: Option<Arc<Subject>>,
    notes: Vec<String>,
    history: History,
    status: Status,
    /// The last step, if there is one.
    last: Option<u64>,
    /// Behind a lock for the same reason as the messages.
    seeker: Option<Box<Mutex<Seeker>>>,
    /// The last frame that was looked at before the thread came to it.
    glimpsed: Option<Arc<Frame>>,
    /// Behind a lock only so that a track can be shared between threads; nobody waits for it.
    messages: Mutex<Receiver<Message>>,
    goal: Arc<(Mutex<Goal>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Track {
    /// Begins to open a run. Frames may take up to `budget` bytes.
    pub fn start(request: Request, budget: usize) -> Self {
        let (sender, messages) = sync_channel(WAITING);
        let goal = Arc::new((Mutex::new(Goal::default()), Condvar::new()));
        let (of_thread, asked) = (Arc::clone(&goal), request.clone());
        let spawned =
            thread::Builder::new().name("drystone run".into()).spawn(move || work(&asked, &sender, &of_thread));
        let (thread, status) = match spawned {
            Ok(thread) => (Some(thread), Status::Opening),
            Err(error) => (None, Status::Failed(format!("no thread can be started: {error}"))),
        };
        Self {
            request,
            subject: None,
            notes: Vec::new(),
            history: History::new(budget),
            status,
            last: None,
            seeker: None,
            glimpsed: None,
            messages: Mutex::new(messages),
            goal,
            thread,
        }
    }

    /// What was asked for.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// What it is about, once it is open.
    pub fn subject(&self) -> Option<&Arc<Subject>> {
        self.subject.as_ref()
    }

    /// What is not as in the file.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The moments so far.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The memory that they may take, bytes.
    pub fn set_budget(&mut self, budget: usize) {
        self.history.set_budget(budget);
    }

    /// How far it is.
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// The last step that there will be: of a recording, or of a run that failed.
    pub fn last_step(&self) -> Option<u64> {
        match self.status {
            Status::Failed(_) => self.history.last_step().or(self.last).or(Some(0)),
            _ => self.last,
        }
    }

    /// The last step that can be looked at now: of a recording any.
    pub fn made(&self) -> u64 {
        let made = self.history.last_step().unwrap_or(0);
        self.seeker.as_ref().map_or(made, |_| self.last_step().unwrap_or(made))
    }

    /// Lets the thread make the steps up to this one; if it has gone further, it stops there.
    pub fn make_until(&mut self, step: u64) {
        lock(&self.goal.0).step = step;
        self.goal.1.notify_all();
    }

    /// Fetches what has come; whether anything has.
    pub fn poll(&mut self) -> bool {
        let mut has_come = false;
        while let Ok(message) = self.receiver().try_recv() {
            self.take(message);
            has_come = true;
        }
        has_come | self.notice_end()
    }

    /// Waits until a step is made, the run ends or fails, or `seconds` have gone by without anything new. Whether the step
    /// is there.
    pub fn wait_for(&mut self, step: u64, seconds: f64) -> bool {
        self.make_until(step);
        while !self.has(step) && matches!(self.status, Status::Opening | Status::Ready) {
            match self.receiver().recv_timeout(Duration::from_secs_f64(seconds)) {
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => {
                    self.end();
                    break;
                }
            }
        }
        self.has(step)
    }

    fn has(&self, step: u64) -> bool {
        self.history.last_step().is_some_and(|last| last >= step)
    }

    /// The frame of a step, or of the nearest kept one before it. Steps of a recording that the thread has not come to, or that
    /// were given up for memory, are looked at in the file: their forces are not known.
    pub fn frame(&mut self, step: u64) -> Option<Arc<Frame>> {
        let kept = self.history.at(step).filter(|frame| frame.step == step);
        if kept.is_some() || (self.seeker.is_none() && self.has(step)) {
            return kept.or(self.history.at(step)).cloned();
        }
        if let Some(frame) = self.glimpsed.as_ref().filter(|frame| frame.step == step) {
            return Some(Arc::clone(frame));
        }
        let last = self.last.unwrap_or(0);
        let seeker = self.seeker.as_mut().filter(|_| step <= last);
        match seeker.map(|seeker| seeker.get_mut().unwrap_or_else(PoisonError::into_inner).frame(step)) {
            Some(Ok(frame)) => {
                self.glimpsed = Some(Arc::new(frame));
                self.glimpsed.clone()
            }
            Some(Err(error)) => {
                self.notes.push(error.to_string());
                self.seeker = None;
                self.history.at(step).cloned()
            }
            None => self.history.at(step).cloned(),
        }
    }

    fn receiver(&mut self) -> &mut Receiver<Message> {
        self.messages.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Opened { subject, seeker, notes, last } => {
                (self.subject, self.seeker, self.notes, self.last) = (Some(subject), seeker, notes, last);
                self.status = Status::Ready;
            }
            Message::Frame(frame) => self.history.add(frame),
            Message::Failed(why) => self.status = Status::Failed(why),
            Message::Ended => self.status = Status::Ended,
        }
    }

    /// A thread that is gone without a word has panicked.
    fn notice_end(&mut self) -> bool {
        let is_gone = self.thread.as_ref().is_some_and(JoinHandle::is_finished);
        if is_gone {
            self.end();
        }
        is_gone
    }

    /// Waits for the thread, which is at its end.
    fn end(&mut self) {
        let panicked = self.thread.take().is_some_and(|thread| thread.join().is_err());
        while let Ok(message) = self.receiver().try_recv() {
            self.take(message);
        }
        if panicked && !matches!(self.status, Status::Failed(_)) {
            self.status = Status::Failed("the run broke off by an error of the program; please report it".into());
        }
    }
}

impl Drop for Track {
    fn drop(&mut self) {
        lock(&self.goal.0).is_over = true;
        self.goal.1.notify_all();
        // Whatever waits to be fetched lets the thread go on to its end; a long step is not waited for.
        while self.receiver().try_recv().is_ok() {}
    }
}

fn lock(goal: &Mutex<Goal>) -> MutexGuard<'_, Goal> {
    goal.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the thread does.
fn work(request: &Request, sender: &SyncSender<Message>, goal: &(Mutex<Goal>, Condvar)) {
    let opened = match open(request) {
        Ok(opened) => opened,
        Err(error) => {
            let _ = sender.send(Message::Failed(error.to_string()));
            return;
        }
    };
    let Opened { subject, source, seeker, notes } = opened;
    let (last, seeker) = (source.last_step(), seeker.map(|seeker| Box::new(Mutex::new(seeker))));
    if sender.send(Message::Opened { subject, seeker, notes, last }).is_err() {
        return;
    }
    let mut is_well = true;
    source.run(&mut |frame| match frame {
        Err(error) => {
            is_well = false;
            let _ = sender.send(Message::Failed(error.to_string()));
            ControlFlow::Break(())
        }
        Ok(frame) => {
            let made = frame.step;
            if sender.send(Message::Frame(Arc::new(frame))).is_err() {
                return ControlFlow::Break(());
            }
            let mut waiting = lock(&goal.0);
            while waiting.step <= made && !waiting.is_over && last.is_none_or(|last| made < last) {
                waiting = goal.1.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            }
            if waiting.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    });
    if is_well {
        let _ = sender.send(Message::Ended);
    }
}
