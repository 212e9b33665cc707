//! The smallest log that still shows a fault: calls are left out as long as it does.
//!
//! Zeller, Hildebrandt, Simplifying and isolating failure-inducing input, IEEE Transactions on Software Engineering 28 (2002): parts of halving
//! size, then single calls.

use crate::call::Log;

/// Leaves out calls as long as the log `shows` the fault.
pub fn smallest(mut log: Log, shows: impl Fn(&Log) -> bool) -> Log {
    let mut part = log.calls.len().div_ceil(2).max(1);
    loop {
        let mut start = 0;
        let mut is_smaller = false;
        while start < log.calls.len() {
            let end = (start + part).min(log.calls.len());
            let mut less = log.clone();
            less.calls.drain(start..end);
            if shows(&less) {
                log = less;
                is_smaller = true;
            } else {
                start = end;
            }
        }
        if part > 1 {
            part = part.div_ceil(2);
        } else if !is_smaller {
            return log;
        }
    }
}
