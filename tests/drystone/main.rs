//! Tests of the program as its users run it.

mod ccd;
#[cfg(unix)]
mod endings;
mod job;
mod own_method;
mod page;
mod pictures;
mod program;
mod run;
mod score;
mod simulate;
mod solver;
mod study;
mod surfaces;
mod temporal;
mod toc;
mod vclip;
mod without_tetgen;
