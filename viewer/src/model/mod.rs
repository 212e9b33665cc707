//! What the viewer shows and how it got there, without a window: keys, panel and command line change a [`State`], drawing reads it.
//!
//! ```text
//! keys, panel, command line ──▶ Command, View ──▶ State { view, playback, tracks, selection }
//!                                                    │ update: frames arrive, time goes on
//!                                                    ▼
//!                                          Shown, one a track ──▶ drawing, panel
//! ```

pub mod camera;
pub mod command;
pub mod pair;
pub mod playback;
pub mod reading;
pub mod selection;
pub mod shown;
pub mod state;
pub mod track;
pub mod view;

pub use camera::Camera;
pub use command::Command;
pub use pair::BodyPair;
pub use playback::Playback;
pub use reading::{read_as, read_in};
pub use selection::{ContactKey, ContactSample, Selected};
pub use shown::{Shown, ShownContact};
pub use state::State;
pub use track::{Status, Track};
pub use view::{BodyLook, BodyStyle, ContactsWith, Show, View};
