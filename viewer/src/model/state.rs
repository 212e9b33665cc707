//! Everything that the viewer knows, and what commands do to it.

use std::path::PathBuf;

use drystone::contact::generator::Method;
use drystone::engine::BodyId;
use drystone::engine::simulator::SimulatorKind;
use drystone_report::inspection::{ColourBy, History, Request, What};

use super::command::Command;
use super::pair::BodyPair;
use super::playback::Playback;
use super::reading::read_as;
use super::selection::{ContactKey, Selected};
use super::shown::Shown;
use super::track::{Status, Track};
use super::view::{BodyLook, BodyStyle, View};

/// While time goes on, so many steps are made ahead.
const AHEAD: u64 = 64;

/// Everything that the viewer knows.
pub struct State {
    /// What is drawn and how.
    pub view: View,
    /// Where in time one looks.
    pub playback: Playback,
    /// What is picked.
    pub selected: Selected,
    /// Two bodies of which only the contacts are drawn.
    pub focus: Option<BodyPair>,
    /// Files that were opened, the last one first.
    pub recent: Vec<PathBuf>,
    /// How bodies are drawn that are not drawn as usual.
    looks: Vec<(BodyId, BodyLook)>,
    /// One run, or two that are compared.
    tracks: Vec<Track>,
    /// What is shown of each.
    shown: Vec<Option<Shown>>,
    /// For what it was made.
    made_for: Option<(View, Selected, Option<BodyPair>)>,
    /// The memory of all runs, bytes.
    budget: usize,
    /// Counts the scenes that were opened, so that the camera knows when to look at all of it.
    opened: u64,
}

impl State {
    /// Begins to open a run. The frames of all runs may take up to `budget` bytes.
    pub fn new(request: Request, view: View, budget: usize) -> Self {
        let mut state = Self {
            view,
            playback: Playback::default(),
            selected: Selected::Nothing,
            focus: None,
            recent: Vec::new(),
            looks: Vec::new(),
            tracks: Vec::new(),
            shown: Vec::new(),
            made_for: None,
            budget,
            opened: 0,
        };
        state.open(request);
        state
    }

    /// The runs: one, or two that are compared.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// What is shown of a run, once there is anything.
    pub fn shown(&self, track: usize) -> Option<&Shown> {
        self.shown.get(track)?.as_ref()
    }

    /// Counts the scenes that were opened.
    pub fn opened(&self) -> u64 {
        self.opened
    }

    /// What was asked for.
    pub fn request(&self) -> &Request {
        self.tracks[0].request()
    }

    /// The method beside the first one, in the same variant.
    pub fn compared(&self) -> Option<Method> {
        self.tracks.get(1).map(|track| track.request().method.clone())
    }

    /// The memory of all runs, bytes.
    pub fn budget(&self) -> usize {
        self.budget
    }

    /// Changes it.
    pub fn set_budget(&mut self, budget: usize) {
        self.budget = budget;
        self.share_budget();
    }

    /// How a body is drawn.
    pub fn look(&self, body: BodyId) -> BodyLook {
        self.looks.iter().find(|(known, _)| *known == body).map_or(BodyLook::Usual, |(_, look)| *look)
    }

    /// The steps that can be looked at now: of both runs, up to the shorter one.
    pub fn steps(&self) -> std::ops::RangeInclusive<u64> {
        let first = self.open_tracks().filter_map(|track| track.history().first_step()).max().unwrap_or(0);
        let made = self.open_tracks().map(Track::made).min().unwrap_or(0);
        first..=made.max(first)
    }

    /// The last step that there will be, if there is one.
    pub fn last_step(&self) -> Option<u64> {
        self.open_tracks().filter_map(Track::last_step).min()
    }

    /// Those that could be opened, so that one that could not does not hold the other back; all if none could.
    fn open_tracks(&self) -> impl Iterator<Item = &Track> {
        let is_any_open = self.tracks.iter().any(|track| track.subject().is_some());
        self.tracks.iter().filter(move |track| track.subject().is_some() || !is_any_open)
    }

    /// Whether something is still on its way to what is asked for.
    pub fn is_waiting(&self) -> bool {
        let is_behind = |track: &Track| match track.status() {
            Status::Opening => true,
            // A recording is made again to its end, whatever is looked at.
            Status::Ready if track.last_step().is_some() => true,
            Status::Ready => track.history().last_step().is_none_or(|last| last < self.playback.step),
            Status::Ended | Status::Failed(_) => false,
        };
        self.tracks.iter().any(is_behind)
    }

    /// Lets `seconds` go by: fetches frames, lets time go on, asks for the next steps, and prepares what is shown. Whether
    /// anything that is drawn has changed.
    pub fn update(&mut self, seconds: f64) -> bool {
        let mut has_come = false;
        for track in &mut self.tracks {
            has_come |= track.poll();
        }
        let time_step = self.tracks[0].subject().map_or(0.01, |subject| subject.time_step);
        let (first, made, last) = (*self.steps().start(), *self.steps().end(), self.last_step());
        self.playback.advance(seconds, time_step, first..=made, last);
        if self.playback.step < first {
            self.playback.go_to(first);
        }
        if let Some(last) = last.filter(|&last| self.playback.step > last) {
            self.playback.go_to(last);
        }
        let ahead = if self.playback.is_playing { AHEAD } else { 0 };
        for track in &mut self.tracks {
            // A recording is made again to its end: its steps are known, and so will be their forces.
            let goal = if track.last_step().is_some() { u64::MAX } else { self.playback.step.saturating_add(ahead) };
            track.make_until(goal);
        }
        self.prepare() | has_come
    }

    /// Waits until the step that is asked for is there; `false` if nothing new came for `seconds`.
    pub fn wait(&mut self, seconds: f64) -> bool {
        let step = self.playback.step;
        let mut is_there = true;
        for track in &mut self.tracks {
            is_there &= track.wait_for(step, seconds) || matches!(track.status(), Status::Ended | Status::Failed(_));
        }
        self.update(0.0);
        is_there
    }

    /// Why a run does not go on.
    pub fn failure(&self) -> Option<&str> {
        self.tracks.iter().find_map(|track| match track.status() {
            Status::Failed(why) => Some(why.as_str()),
            _ => None,
        })
    }

    fn prepare(&mut self) -> bool {
        let wanted = (self.view.clone(), self.selected, self.focus);
        let mut is_new = self.made_for.as_ref() != Some(&wanted);
        self.shown.resize_with(self.tracks.len(), || None);
        for (k, (track, shown)) in self.tracks.iter_mut().zip(&mut self.shown).enumerate() {
            let (Some(subject), Some(frame)) = (track.subject().cloned(), track.frame(self.playback.step)) else {
                continue;
            };
            let is_same = shown.as_ref().is_some_and(|s| std::sync::Arc::ptr_eq(&s.frame, &frame));
            if is_new || !is_same {
                let picked = (&self.selected, self.focus);
                *shown = Some(Shown::new((k, &subject, &frame), &self.view, picked, shown.as_ref()));
                is_new = true;
            }
        }
        self.made_for = Some(wanted);
        is_new
    }

    /// Does what is asked for.
    pub fn apply(&mut self, command: Command) {
        match command {
            Command::PlayPause => self.play_or_pause(),
            Command::Step => self.go_to(self.playback.step.saturating_add(1)),
            Command::StepBack => self.step_back(),
            Command::First => self.go_to(*self.steps().start()),
            Command::Last => self.go_to(*self.steps().end()),
            Command::GoTo(step) => self.go_to(step),
            Command::Open(request) => self.open(*request),
            Command::Restart => self.restart(),
            Command::Compare(method) => self.compare(method),
            Command::Select(selected) => self.selected = selected,
            Command::Escape => match self.focus {
                Some(_) => self.focus = None,
                None => self.selected = Selected::Nothing,
            },
            Command::Focus(pair) => self.focus = pair,
            Command::FocusSelected => self.focus_selected(),
            Command::Look(body, look) => self.set_look(body, look),
            Command::HideSelected => self.toggle_look(BodyLook::Hidden),
            Command::GhostSelected => self.toggle_look(BodyLook::Ghost),
            Command::ShowAll => self.looks.clear(),
            Command::Bodies(style) => self.view.bodies = style,
            Command::NextBodies => self.view.bodies = next(&BodyStyle::ALL, self.view.bodies),
            Command::Colour(by) => self.view.colour = by,
            Command::NextColour => self.view.colour = next(&ColourBy::ALL, self.view.colour),
            Command::Explode(by) => {
                let amount = (self.view.explode.amount + by).clamp(0.0, Self::MOST_EXPLODED);
                // Steps of a tenth come back to nought.
                self.view.explode.amount = if amount < 1e-9 { 0.0 } else { amount };
            }
            Command::Paper => self.view.set_paper(),
            Command::Default => self.view.set_default(),
            Command::Help => self.view.help = !self.view.help,
            Command::Panel => self.view.panel = !self.view.panel,
            Command::NextContact { back } => self.next_contact(back),
        }
    }

    /// As far apart as bodies can be moved.
    pub const MOST_EXPLODED: f64 = 3.0;

    fn play_or_pause(&mut self) {
        self.playback.is_playing = !self.playback.is_playing;
        let is_at_end = self.last_step().is_some_and(|last| self.playback.step >= last);
        if self.playback.is_playing && is_at_end {
            self.playback.go_to(*self.steps().start());
        }
    }

    fn go_to(&mut self, step: u64) {
        self.playback.is_playing = false;
        let last = self.last_step().unwrap_or(u64::MAX);
        self.playback.go_to(step.clamp((*self.steps().start()).min(last), last));
    }

    /// Where steps were given up for memory, to the kept one before.
    fn step_back(&mut self) {
        let step = self.playback.step;
        let is_kept = step <= self.tracks[0].history().last_step().unwrap_or(0);
        let before = self.tracks[0].history().before(step).filter(|_| is_kept).map(|frame| frame.step);
        self.go_to(before.unwrap_or(step.saturating_sub(1)));
    }

    fn open(&mut self, request: Request) {
        let is_other = self.tracks.first().is_none_or(|track| track.request().what != request.what);
        let beside = self.compared().filter(|_| !matches!(request.what, What::Recording(_)));
        if is_other {
            self.looks.clear();
            self.focus = None;
        }
        if is_other || self.tracks.first().is_none_or(|track| track.request().size != request.size) {
            self.opened += 1;
        }
        self.tracks.clear();
        self.shown.clear();
        self.remember(&request.what);
        self.selected = Selected::Nothing;
        self.playback.is_playing = false;
        self.playback.go_to(if is_other { 0 } else { self.playback.step });
        let other = beside.map(|method| Request { method: read_as(&method, &request.method), ..request.clone() });
        self.tracks.push(Track::start(request, self.budget));
        self.tracks.extend(other.map(|request| Track::start(request, self.budget)));
        self.share_budget();
    }

    /// So many files are remembered.
    pub const MOST_RECENT: usize = 10;

    fn remember(&mut self, what: &What) {
        if let What::SceneFile(path) | What::RigidIpc(path) | What::KinematicTree(path) | What::Recording(path) = what {
            self.recent.retain(|known| known != path);
            self.recent.insert(0, path.clone());
            self.recent.truncate(Self::MOST_RECENT);
        }
    }

    fn restart(&mut self) {
        let request = self.request().clone();
        self.open(request);
        self.playback.go_to(0);
    }

    fn compare(&mut self, method: Option<Method>) {
        let method = method.map(|method| read_as(&method, &self.request().method));
        if method == self.compared() || matches!(self.request().what, What::Recording(_)) {
            return;
        }
        self.tracks.truncate(1);
        self.shown.truncate(1);
        let simulator = SimulatorKind::TimeStepping;
        let other = method.map(|method| Request { method, simulator, ..self.request().clone() });
        self.tracks.extend(other.map(|request| Track::start(request, self.budget)));
        self.selected = Selected::Nothing;
        self.share_budget();
    }

    fn share_budget(&mut self) {
        let each = self.budget / self.tracks.len().max(1);
        self.tracks.iter_mut().for_each(|track| track.set_budget(each));
    }

    fn focus_selected(&mut self) {
        self.focus = match self.selected {
            Selected::Contact { key, .. } => Some(BodyPair::new(key.a, key.b)),
            _ => None,
        };
    }

    fn set_look(&mut self, body: BodyId, look: BodyLook) {
        self.looks.retain(|(known, _)| *known != body);
        if look != BodyLook::Usual {
            self.looks.push((body, look));
        }
    }

    fn toggle_look(&mut self, look: BodyLook) {
        if let Selected::Body(body) = self.selected {
            self.set_look(body, if self.look(body) == look { BodyLook::Usual } else { look });
        }
    }

    /// Of the contacts that are drawn.
    fn next_contact(&mut self, back: bool) {
        let track = match self.selected {
            Selected::Contact { track, .. } => track,
            _ => 0,
        };
        let Some(shown) = self.shown(track).filter(|shown| !shown.contacts.is_empty()) else { return };
        let (all, count) = (&shown.contacts, shown.contacts.len());
        let now = match self.selected {
            Selected::Contact { .. } => all.iter().position(|c| c.is_selected),
            _ => None,
        };
        let next = match (now, back) {
            (Some(k), false) => (k + 1) % count,
            (Some(k), true) => (k + count - 1) % count,
            (None, false) => 0,
            (None, true) => count - 1,
        };
        if let Some(key) = ContactKey::of(&shown.frame.contacts, all[next].index) {
            self.selected = Selected::Contact { track, key };
        }
    }

    /// As much memory as frames take unless told otherwise, bytes.
    pub const DEFAULT_BUDGET: usize = History::DEFAULT_BUDGET;
}

fn next<T: Copy + PartialEq>(all: &[T], now: T) -> T {
    let place = all.iter().position(|&one| one == now).unwrap_or(0);
    all[(place + 1) % all.len()]
}
