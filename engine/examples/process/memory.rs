//! Memory of this process, as Linux tells it.

use std::error::Error;

/// Memory in use, kB.
///
/// # Errors
/// There is no account of it: not on Linux.
pub fn resident() -> Result<u64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no account of memory")?;
    Ok(line.split_whitespace().next().ok_or("an empty account of memory")?.parse()?)
}
