//! V-Clip: every answer of many queries checked, some of them in exact arithmetic, and the poses that are known to have
//! broken other programs.

mod exact;
mod oracle;
mod published;
mod queries;

use queries::families::Family;
use queries::tally::Tally;
use queries::{Row, rows, run, shapes};

/// Vertices of the largest shape.
const LARGEST: usize = 10_242;

/// Queries over all families and shapes.
const QUERIES: usize = 200_000;

#[test]
fn no_answer_is_wrong() {
    let shapes = shapes::shapes(LARGEST);
    let rows = rows(&shapes, QUERIES);
    let mut all = Tally::default();
    for (row, tally) in rows.iter().zip(run(&shapes, &rows, 2, &|_, _| {})) {
        let name = shapes[row.shape].name;
        let wrong = tally.wrong.join("\n");
        assert!(tally.is_right(), "{:?}, {name}\n{}\n{tally}\n{wrong}", row.family, Tally::HEADS);
        all.add(&tally);
    }
    assert!(all.queries > QUERIES as u64 * 9 / 10);
    // Each way to an answer was gone.
    assert!(all.ways.iter().all(|&count| count > 0), "{all}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let shapes = shapes::shapes(162);
    let rows: Vec<Row> = Family::ALL
        .into_iter()
        .map(|family| Row { family, shape: family as usize % shapes.len(), count: 600 })
        .collect();
    assert_eq!(run(&shapes, &rows, 1, &|_, _| {}), run(&shapes, &rows, 3, &|_, _| {}));
}
