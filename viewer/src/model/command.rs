//! What keys, buttons and clicks ask for.

use drystone::contact::generator::Method;
use drystone::engine::BodyId;
use drystone_report::inspection::{ColourBy, Request};

use super::pair::BodyPair;
use super::selection::Selected;
use super::view::{BodyLook, BodyStyle};

/// Something to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Time goes on or stands still.
    PlayPause,
    /// One step on.
    Step,
    /// One step back.
    StepBack,
    /// To the start.
    First,
    /// To the last step that is there.
    Last,
    /// To a step.
    GoTo(u64),
    /// Another scene, method, solver or setting, from its start.
    Open(Box<Request>),
    /// The same run once more from its start.
    Restart,
    /// Another method beside the first one, or that one away.
    Compare(Option<Method>),
    /// Picks something.
    Select(Selected),
    /// Picks nothing; what is focused on comes first.
    Escape,
    /// Only the contacts of two bodies, or of all again.
    Focus(Option<BodyPair>),
    /// Only the contacts of the pair of the picked contact.
    FocusSelected,
    /// How a body is drawn.
    Look(BodyId, BodyLook),
    /// The picked body away, or back.
    HideSelected,
    /// The picked body faint, or as usual again.
    GhostSelected,
    /// All bodies as usual.
    ShowAll,
    /// How bodies are drawn.
    Bodies(BodyStyle),
    /// The next way to draw bodies.
    NextBodies,
    /// What contacts are coloured by.
    Colour(ColourBy),
    /// The next of these.
    NextColour,
    /// Bodies farther apart by so much; below zero nearer.
    Explode(f64),
    /// The figures of the paper.
    Paper,
    /// As at the first start.
    Default,
    /// The help.
    Help,
    /// The panel.
    Panel,
    /// The next contact of the list, or the one before.
    NextContact {
        /// Back instead.
        back: bool,
    },
}
