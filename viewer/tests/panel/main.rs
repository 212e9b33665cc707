//! The panel, clicked without a window.

mod help;
mod picked;
mod plots;
mod run;
mod timeline;
mod view;
mod window;
