//! Contact hooks that are Python functions.

use std::sync::Arc;

use drystone_engine::world::{ContactHook, HookPair};
use drystone_engine::{BodyHandle, Friction, Interaction};
use glam::DVec3;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::materials::friction_of;
use super::{Held, PyWorld};
use crate::callback;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Watch;

type Vector = (f64, f64, f64);

/// Two bodies that are near each other, as they are when a step begins: what contact hooks are told. A was added first.
#[pyclass(name = "ContactPair", module = "drystone", frozen, get_all)]
pub struct PyContactPair {
    /// A.
    a: u64,
    /// B.
    b: u64,
    /// The centres of mass of A and B (of those that no force moves, the origins of their shapes), world frame, m.
    centres: (Vector, Vector),
    /// The velocities of these points, world frame, m/s.
    velocities: (Vector, Vector),
    /// World frame, rad/s.
    angular_velocities: (Vector, Vector),
}

#[pymethods]
impl PyContactPair {
    fn __repr__(&self) -> String {
        let Self { a, b, centres, velocities, angular_velocities } = self;
        format!(
            "ContactPair(a={a}, b={b}, centres={centres:?}, velocities={velocities:?}, angular_velocities={angular_velocities:?})"
        )
    }
}

impl PyContactPair {
    fn new(pair: &HookPair<'_>) -> Self {
        let [a, b] = pair.handles.map(BodyHandle::to_bits);
        let [one, other] = pair.bodies;
        let both = |p: DVec3, q: DVec3| (p.into(), q.into());
        Self {
            a,
            b,
            centres: both(one.position, other.position),
            velocities: both(one.velocity, other.velocity),
            angular_velocities: both(one.angular_velocity, other.angular_velocity),
        }
    }
}

/// The functions of a program.
pub struct Functions {
    collides: Option<Py<PyAny>>,
    interaction: Option<Py<PyAny>>,
}

/// The functions, and who learns of their exceptions.
struct PythonHook {
    functions: Arc<Functions>,
    watch: Arc<Watch>,
}

impl PythonHook {
    /// Asks Python. Where it raises, the step ends; nothing is asked any more.
    fn ask<T>(&self, usual: T, body: impl FnOnce(Python<'_>) -> Outcome<T>) -> T {
        if self.watch.has_failed() {
            return usual;
        }
        Python::attach(|py| match callback::marked(|| body(py)) {
            Ok(answer) => answer,
            Err(failure) => {
                self.watch.fail(failure.into());
                usual
            }
        })
    }
}

impl ContactHook for PythonHook {
    fn collides(&self, pair: &HookPair<'_>) -> bool {
        let Some(collides) = &self.functions.collides else { return true };
        self.ask(true, |py| Ok(collides.bind(py).call1((PyContactPair::new(pair),))?.is_truthy()?))
    }

    fn interaction(&self, pair: &HookPair<'_>, usual: Interaction) -> Interaction {
        let Some(interaction) = &self.functions.interaction else { return usual };
        self.ask(usual, |py| {
            static INTERACTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            let kind = INTERACTION.import(py, "drystone._world", "Interaction")?;
            let Friction { s, t, torsion } = usual.friction;
            let told = kind.call1(((s, t, torsion), usual.restitution))?;
            let answer = interaction.bind(py).call1((PyContactPair::new(pair), told))?;
            if answer.is_none() { Ok(usual) } else { interaction_of(&answer) }
        })
    }
}

/// Friction and restitution, checked.
fn interaction_of(answer: &Bound<'_, PyAny>) -> Outcome<Interaction> {
    let wrong = |what: String| Failure::Value(format!("what the hook interaction returns {what}"));
    let (friction, restitution): (Bound<'_, PyAny>, f64) =
        answer.extract().map_err(|_| wrong("must be a drystone.Interaction or None".into()))?;
    let friction = friction_of(&friction).map_err(|error| error.at("what the hook interaction returns"))?;
    if !friction.to_array().iter().all(|x| x.is_finite() && *x >= 0.0) {
        return Err(wrong(format!("has the friction {:?}; it must be finite and not negative", friction.to_array())));
    }
    if !(0.0..=1.0).contains(&restitution) {
        return Err(wrong(format!("has the restitution {restitution}; it must be from 0 to 1")));
    }
    Ok(Interaction { friction, restitution })
}

impl Held {
    /// Lets functions have a say in contacts. Those that had one come back.
    fn set_hooks(&mut self, functions: Option<Arc<Functions>>) -> Option<Arc<Functions>> {
        let old = std::mem::replace(&mut self.functions, functions);
        self.world.set_contact_hook(self.hook());
        old
    }

    /// The same functions as those of the world that this one is a copy of.
    pub fn copy_hooks(&mut self, functions: Option<Arc<Functions>>) {
        self.functions = functions;
        self.world.replace_contact_hook(self.hook());
    }

    fn hook(&self) -> Option<Arc<dyn ContactHook>> {
        let functions = Arc::clone(self.functions.as_ref()?);
        Some(Arc::new(PythonHook { functions, watch: Arc::clone(&self.watch) }))
    }
}

#[pymethods]
impl PyWorld {
    /// Sets functions that have a say in contacts, in place of those set before; without any, none have. They are asked in every step, about
    /// bodies near each other, possibly more than once and in any order: their answers must depend on what they are told alone. They hold
    /// the GIL, so that threads take turns, and cannot use the world. Their exceptions come out of :meth:`step`, which leaves the world as it
    /// was before the step. They are no part of snapshots, pickles and recordings; copies of the world have them.
    ///
    /// Args:
    ///     collides: Whether two bodies collide in this step: it gets a :class:`ContactPair`. Without it, they do.
    ///     interaction: What happens between two bodies that touch: it gets a :class:`ContactPair` and the :class:`Interaction` of their
    ///         materials, and returns another one, or ``None`` for the same.
    ///
    /// Raises:
    ///     TypeError: One of them is no function.
    ///
    /// A platform that holds from above alone; a ball is thrown up through it and comes to rest on it:
    ///
    /// >>> import drystone as ds
    /// >>> world = ds.World()
    /// >>> platform = world.add(ds.Shape.box((4, 0.2, 4)), ds.pose((0, 2, 0)), fixed=True)
    /// >>> ball = world.add(ds.Shape.ball(0.2), ds.pose((0, 1, 0)), density=500, velocity=(0, 8, 0))
    /// >>> def from_above(pair):
    /// ...     (_, below, _), (_, above, _) = pair.centres
    /// ...     return above - below > 0.28 and pair.velocities[1][1] < 0.5
    /// >>> world.set_contact_hooks(collides=from_above)
    /// >>> report = world.step(300)
    /// >>> round(float(world.positions[1, 1]), 2)
    /// 2.3
    #[pyo3(signature = (*, collides = None, interaction = None))]
    fn set_contact_hooks(
        &self,
        py: Python<'_>,
        collides: Option<Bound<'_, PyAny>>,
        interaction: Option<Bound<'_, PyAny>>,
    ) -> Outcome<()> {
        for (function, name) in [(&collides, "collides"), (&interaction, "interaction")] {
            if function.as_ref().is_some_and(|function| !function.is_callable()) {
                return Err(Failure::Kind(format!("{name} cannot be called")));
            }
        }
        let [collides, interaction] = [collides, interaction].map(|function| function.map(Bound::unbind));
        // What is dropped may run code of Python, which may use the world: without the lock.
        self.with(py, |held| {
            let is_any = collides.is_some() || interaction.is_some();
            Ok(held.set_hooks(is_any.then(|| Arc::new(Functions { collides, interaction }))))
        })
        .map(drop)
    }
}
