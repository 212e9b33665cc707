//! On what a report was made.

use std::fs;
use std::process::Command;

use serde::Serialize;

/// A machine, as far as it tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// The model of the processor, or its architecture.
    pub processor: String,
    /// How many threads it runs at once; 0 if unknown.
    pub cores: usize,
    /// The operating system.
    pub system: String,
}

impl Machine {
    /// This one.
    pub fn this() -> Self {
        let field = |path: &str, name: &str, sign: char| {
            let text = fs::read_to_string(path).ok()?;
            let line = text.lines().find(|line| line.starts_with(name))?;
            let value = line.split_once(sign)?.1.trim().trim_matches('"');
            (!value.is_empty()).then(|| value.to_owned())
        };
        Machine {
            processor: field("/proc/cpuinfo", "model name", ':').unwrap_or_else(|| std::env::consts::ARCH.into()),
            cores: std::thread::available_parallelism().map_or(0, usize::from),
            system: field("/etc/os-release", "PRETTY_NAME", '=').unwrap_or_else(|| std::env::consts::OS.into()),
        }
    }
}

/// The commit of the sources: the one named by `DRYSTONE_COMMIT` when the program was built, else what git says of the
/// folder that it was built from, with `-dirty` where that differs from the commit. `None`: unknown.
pub fn commit() -> Option<String> {
    if let Some(commit) = option_env!("DRYSTONE_COMMIT") {
        return Some(commit.into());
    }
    let mut git = Command::new("git");
    git.args(["-C", env!("CARGO_MANIFEST_DIR"), "describe", "--always", "--dirty", "--exclude=*"]);
    let output = git.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    let commit = text.trim();
    (!commit.is_empty()).then(|| commit.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_has_names() {
        let machine = Machine::this();
        assert!(!machine.processor.is_empty() && !machine.system.is_empty());
        assert!(commit().is_none_or(|c| c.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')));
    }
}
