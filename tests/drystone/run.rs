//! Runs of the program from its command line to what it says and how it ends.

use std::process::{Command, Output};

/// The program, to be given arguments.
pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_drystone"))
}

/// A run to its end.
pub fn drystone(arguments: &[&str]) -> Output {
    program().args(arguments).output().unwrap()
}

/// What a run wrote.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Standard output of a run that must succeed.
pub fn succeed(arguments: &[&str]) -> String {
    let output = drystone(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The message of a run that must end with this status.
pub fn fail(status: i32, arguments: &[&str]) -> String {
    let output = drystone(arguments);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {message}");
    assert!(!message.contains("panicked"), "{message}");
    message
}

/// The message of a run that must be refused with status 2.
pub fn refused(arguments: &[&str]) -> String {
    fail(2, arguments)
}
