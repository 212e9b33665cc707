//! The root finder of continuous collision detection allocates nothing, however hard the query.

use std::hint::black_box;

use allocation_counter::measure;
use drystone_contact::ccd::sample::near_degenerate;
use drystone_contact::ccd::{RootFinder, Settings};

#[test]
fn queries_are_answered_without_allocation() {
    let queries: Vec<_> = (0..2000).map(|number| near_degenerate(5, number)).collect();
    for separation in [0.0, 1e-4] {
        let finder = RootFinder::new(Settings { separation, checks: 2000, ..Settings::default() }).expect("in range");
        let mut checks = 0;
        let allocated = measure(|| {
            for query in &queries {
                checks += black_box(finder.solve(query)).expect("finite").checks;
            }
        });
        assert_eq!((allocated.count_total, allocated.bytes_total), (0, 0));
        assert!(checks > 10_000, "{checks}");
    }
}
