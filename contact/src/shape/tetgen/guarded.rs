//! A program that does not outlive this process.

use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Runs a program with a shell beside it that waits for the end of a pipe from here. It comes when this process ends, however that
/// happens; then its folder is removed and the program is killed, which ends that shell as well.
///
/// `$1` is the folder, then comes the program with its arguments.
#[cfg(unix)]
const SCRIPT: &str = r#"
exec 3<&0
folder=$1
shift
"$@" 3<&- </dev/null &
child=$!
(
    trap '' HUP INT QUIT TERM
    read -r _ <&3
    /bin/rm -rf "$folder"
    kill -9 $child
) >/dev/null 2>&1 &
guard=$!
exec 3<&-
wait $child
status=$?
kill -9 $guard
exit $status
"#;

/// What such a shell ends with if the program is there and cannot be run.
#[cfg(unix)]
const CANNOT_RUN: i32 = 126;

/// A running program.
pub struct Guarded(Child);

impl Guarded {
    /// Starts a program in whose folder it alone works.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`]: there is no such program; others of the system.
    pub fn spawn(program: &Path, arguments: [&Path; 2], folder: &Path, output: [Stdio; 2]) -> io::Result<Self> {
        #[cfg(unix)]
        let (mut command, input) = {
            if !is_there(program) {
                return Err(io::ErrorKind::NotFound.into());
            }
            let mut command = Command::new("/bin/sh");
            command.args(["-c", SCRIPT, "sh"]).arg(folder).arg(program);
            (command, Stdio::piped())
        };
        #[cfg(not(unix))]
        let (mut command, input) = {
            let _ = folder;
            (Command::new(program), Stdio::null())
        };
        let [out, errors] = output;
        command.args(arguments).stdin(input).stdout(out).stderr(errors).spawn().map(Self)
    }

    /// How it ended, if it has.
    ///
    /// # Errors
    /// [`io::ErrorKind::PermissionDenied`]: the program cannot be run; others of the system.
    pub fn try_wait(&mut self) -> io::Result<Option<std::process::ExitStatus>> {
        let status = self.0.try_wait()?;
        #[cfg(unix)]
        if status.and_then(|status| status.code()) == Some(CANNOT_RUN) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(status)
    }

    /// Ends it; its folder may be gone then.
    pub fn end(mut self) {
        // Ending a program that has just ended by itself fails harmlessly.
        if self.0.stdin.take().is_none() {
            let _ = self.0.kill();
        }
        let _ = self.0.wait();
    }
}

/// Whether there is a file of that name: a path, or on the `PATH`.
#[cfg(unix)]
fn is_there(program: &Path) -> bool {
    if program.components().count() > 1 {
        return program.exists();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| !folder.as_os_str().is_empty() && folder.join(program).is_file())
}
