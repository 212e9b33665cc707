use super::*;
use proptest::prelude::*;

fn contact(velocity: [f64; 4]) -> DelassusContact<4> {
    DelassusContact { velocity, friction: [0.5; 3] }
}

fn identity(row: usize) -> DelassusBlock<4> {
    let entries = std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    DelassusBlock { row, column: row, entries }
}

fn reason(contacts: usize, blocks: &[DelassusBlock<4>]) -> (usize, usize, &'static str) {
    match Delassus::new(vec![contact([0.0; 4]); contacts], blocks) {
        Err(SolverError::Block { row, column, reason }) => (row, column, reason),
        other => panic!("{other:?}"),
    }
}

#[test]
fn bad_blocks_are_refused() {
    let far = DelassusBlock { row: 0, column: 2, ..identity(0) };
    assert_eq!(reason(2, &[identity(0), identity(1), far]), (0, 2, "there are not that many contacts"));
    assert_eq!(reason(2, &[identity(0)]), (1, 1, "every contact needs a diagonal block"));
    let beside = DelassusBlock { row: 0, column: 1, ..identity(0) };
    let mirrored = DelassusBlock { row: 1, column: 0, ..identity(0) };
    assert_eq!(reason(2, &[identity(0), identity(1), beside, mirrored]).2, "it is given twice");
    let empty = DelassusBlock { entries: [[0.0; 4]; 4], ..identity(0) };
    assert_eq!(reason(1, &[empty]).2, "its diagonal entries must be above zero");
    let bad = DelassusBlock { entries: [[f64::NAN; 4]; 4], ..identity(0) };
    assert_eq!(reason(1, &[bad]).2, "it has entries that are not finite");
    let infinite = Delassus::new(vec![contact([0.0, f64::INFINITY, 0.0, 0.0])], &[identity(0)]);
    assert_eq!(infinite, Err(SolverError::Rows { contact: 0 }));
    let negative = DelassusContact { friction: [0.5, -0.1, 0.5], ..contact([0.0; 4]) };
    assert_eq!(Delassus::new(vec![negative], &[identity(0)]), Err(SolverError::Rows { contact: 0 }));
}

proptest! {
    /// Oracle: the dense product of the full symmetric matrix.
    #[test]
    fn velocities_are_the_product_with_the_full_matrix(
        numbers in prop::array::uniform16(-1.0..1.0f64),
        diagonal in prop::array::uniform8(0.1..2.0f64),
        impulses in prop::array::uniform8(-1.0..1.0f64),
        below in any::<bool>(),
    ) {
        let entries: [[f64; 4]; 4] = std::array::from_fn(|i| std::array::from_fn(|j| numbers[4 * i + j]));
        let own = |k: usize| {
            let entries = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { diagonal[4 * k + i] } else { 0.0 }));
            DelassusBlock { row: k, column: k, entries }
        };
        let (row, column) = if below { (1, 0) } else { (0, 1) };
        let coupling = DelassusBlock { row, column, entries };
        let problem = Delassus::new(vec![contact([0.25; 4]); 2], &[own(0), coupling, own(1)]).unwrap();
        let mut dense = [[0.0; 8]; 8];
        for i in 0..4 {
            for j in 0..4 {
                dense[4 * row + i][4 * column + j] = entries[i][j];
                dense[4 * column + j][4 * row + i] = entries[i][j];
            }
        }
        for i in 0..8 {
            dense[i][i] = diagonal[i];
        }
        let given = *impulses.as_chunks::<4>().0.first_chunk::<2>().unwrap();
        let velocities = problem.velocities(&given);
        for i in 0..8 {
            let expected: f64 = 0.25 + (0..8).map(|j| dense[i][j] * impulses[j]).sum::<f64>();
            prop_assert!((velocities[i / 4][i % 4] - expected).abs() < 1e-14);
        }
    }
}
