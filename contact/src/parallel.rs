//! Work shared among the threads of rayon with the feature `parallel`. Without it the thread that calls does it all, under the same names
//! and with the same results: the crates of this project say nothing of the feature where they share work.

#[cfg(feature = "parallel")]
pub use rayon::{current_num_threads, current_thread_index, scope};
#[cfg(not(feature = "parallel"))]
pub use serial::{current_num_threads, current_thread_index, join, prelude, scope};
#[cfg(feature = "parallel")]
pub use tasks::join;

#[cfg(any(test, not(feature = "parallel")))]
mod serial;
#[cfg(feature = "parallel")]
mod tasks;

/// The methods that begin to share work.
#[cfg(feature = "parallel")]
pub mod prelude {
    pub use super::tasks::{InTasks, Tasks};
    pub use rayon::prelude::*;
}
