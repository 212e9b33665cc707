//! NumPy arrays to plain values and back. Arrays of any order, stride and number type are read; what is returned is read-only.

use std::array::from_fn;

use drystone_contact::Pose;
use drystone_engine::BodyHandle;
use glam::{DMat3, DQuat, DVec3};
use numpy::ndarray::{ArrayView, ArrayView2, ArrayView3, Dimension, Ix1, Ix2, Ix3};
use numpy::{Element, IntoPyArray, PyArray, PyArray1, PyArray2, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyBytes};

use crate::failure::{Failure, Outcome};

/// Rotations may be this far from orthonormal, as matrices that were multiplied or in single precision are.
const ORTHONORMAL: f64 = 1e-4;

/// Arrays of up to this many words are copied into bytes, which is faster than a view as another type.
const FEW: usize = 1024;

/// Reads an argument as an array of numbers.
///
/// # Errors
/// [`Failure::Value`] of another number of dimensions, and what NumPy raises for what is no array.
fn read<T: Element, D: Dimension, R>(
    argument: &Bound<'_, PyAny>,
    name: &str,
    read: impl FnOnce(ArrayView<'_, T, D>) -> Outcome<R>,
) -> Outcome<R> {
    if let Ok(array) = argument.cast::<PyArray<T, D>>()
        && is_regular(array)
    {
        return read(array.readonly().as_array());
    }
    let py = argument.py();
    static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let as_array = AS_ARRAY.import(py, "numpy", "asarray")?;
    let keywords = [("dtype", numpy::dtype::<T>(py))].into_py_dict(py)?;
    let array = as_array.call((argument,), Some(&keywords)).map_err(|error| {
        let kind = argument.get_type();
        Failure::Kind(format!("{name} is no array of numbers: {} ({kind})", error.value(py)))
    })?;
    let array = array.cast::<PyArray<T, D>>().map_err(|_| {
        let shape = array.cast::<PyUntypedArray>().map(|a| format!("{:?}", a.shape())).unwrap_or_default();
        Failure::Value(format!("{name} has the shape {shape}; it must have {} dimensions", D::NDIM.unwrap_or(0)))
    })?;
    if is_regular(array) {
        return read(array.readonly().as_array());
    }
    self::read(array.call_method0("copy")?.as_any(), name, read)
}

/// Whether all elements lie where Rust can look at them in place. Those of a field of a structured array may not.
fn is_regular<T: Element, D: Dimension>(array: &Bound<'_, PyArray<T, D>>) -> bool {
    let size = size_of::<T>().cast_signed();
    array.data().is_aligned() && array.strides().iter().all(|stride| stride % size == 0)
}

/// Reads an argument as an array of three dimensions.
///
/// # Errors
/// As those of `read`, and [`Failure::Value`] of another number of dimensions.
pub fn three_dimensional<R>(
    argument: &Bound<'_, PyAny>,
    name: &str,
    read: impl FnOnce(ArrayView3<'_, f64>) -> Outcome<R>,
) -> Outcome<R> {
    self::read(argument, name, read)
}

/// Vectors from an array (n, 3). Whether they are finite is the business of who takes them.
pub fn vectors(argument: &Bound<'_, PyAny>, name: &str) -> Outcome<Vec<DVec3>> {
    read::<f64, Ix2, _>(argument, name, |array| match array.dim() {
        (_, 3) => Ok(array.rows().into_iter().map(|row| DVec3::new(row[0], row[1], row[2])).collect()),
        (rows, columns) => Err(Failure::Value(format!("{name} has the shape ({rows}, {columns}); it must be (n, 3)"))),
    })
}

/// A vector from an array (3,), finite.
pub fn vector(argument: &Bound<'_, PyAny>, name: &str) -> Outcome<DVec3> {
    read::<f64, Ix1, _>(argument, name, |array| {
        if array.len() != 3 {
            return Err(Failure::Value(format!("{name} has the shape ({},); it must be (3,)", array.len())));
        }
        let vector = DVec3::new(array[0], array[1], array[2]);
        if vector.is_finite() {
            Ok(vector)
        } else {
            Err(Failure::Value(format!("{name} is {vector}; it must be finite")))
        }
    })
}

/// A velocity from an array (3,), of finite length: that of components above 1e154 may not be.
pub fn velocity(argument: &Bound<'_, PyAny>, name: &str) -> Outcome<DVec3> {
    match vector(argument, name)? {
        velocity if velocity.length().is_finite() => Ok(velocity),
        velocity => Err(Failure::Value(format!("{name} is {velocity}; its length must be finite"))),
    }
}

/// Lists of `N` numbers of vertices from an array (n, N).
pub fn corners<const N: usize>(argument: &Bound<'_, PyAny>, name: &str) -> Outcome<Vec<[u32; N]>> {
    let is_integer = |kind: &str| matches!(kind, "i" | "u");
    // An empty list is an array of floats to NumPy; anything else that is rounded would hide a mistake.
    if let Ok(array) = argument.cast::<PyUntypedArray>() {
        let kind = array.dtype().getattr("kind")?.extract::<String>()?;
        if !is_integer(&kind) {
            return Err(Failure::Kind(format!("{name} is an array of {}; it must be one of integers", array.dtype())));
        }
    }
    read::<i64, Ix2, _>(argument, name, |array| {
        let (rows, columns) = array.dim();
        if columns != N {
            return Err(Failure::Value(format!("{name} has the shape ({rows}, {columns}); it must be (n, {N})")));
        }
        let number = |value: i64, row: usize| {
            u32::try_from(value).map_err(|_| {
                Failure::Value(format!("{name}[{row}] holds {value}; it must be the number of a vertex, from 0"))
            })
        };
        let mut corners = Vec::with_capacity(rows);
        for (k, row) in array.rows().into_iter().enumerate() {
            let mut one = [0; N];
            for (own, &value) in one.iter_mut().zip(row) {
                *own = number(value, k)?;
            }
            corners.push(one);
        }
        Ok(corners)
    })
}

/// Handles of bodies from an array (n,) of unsigned numbers.
pub fn bodies(argument: &Bound<'_, PyAny>, name: &str) -> Outcome<Vec<BodyHandle>> {
    if argument.cast::<PyArray1<u64>>().is_err() {
        let kind = argument.get_type();
        return Err(Failure::Kind(format!("{name} is no array (n,) of numbers of the type uint64 ({kind})")));
    }
    read::<u64, Ix1, _>(argument, name, |array| Ok(array.iter().map(|&body| BodyHandle::from_bits(body)).collect()))
}

/// Indices below `count` from an array (n,).
pub fn indices(argument: &Bound<'_, PyAny>, name: &str, count: usize) -> Outcome<Vec<usize>> {
    read::<i64, Ix1, _>(argument, name, |array| {
        let index = |(k, &value): (usize, &i64)| {
            usize::try_from(value).ok().filter(|&index| index < count).ok_or_else(|| {
                Failure::Index(format!(
                    "{name}[{k}] is {value}; it must be from 0 to below {count}, the number of shapes"
                ))
            })
        };
        array.iter().enumerate().map(index).collect()
    })
}

/// A grid of numbers, row by row.
pub fn grid(argument: &Bound<'_, PyAny>, name: &str) -> Outcome<(usize, usize, Vec<f64>)> {
    read::<f64, Ix2, _>(argument, name, |array| {
        let (rows, columns) = array.dim();
        Ok((rows, columns, array.iter().copied().collect()))
    })
}

/// A pose from an array (4, 4).
pub fn pose(argument: &Bound<'_, PyAny>, name: &str) -> Outcome<Pose> {
    let one = |array: ArrayView2<'_, f64>| match array.dim() {
        (4, 4) => {
            let matrix = array.as_slice().and_then(|numbers| numbers.first_chunk().copied());
            rigid(&matrix.unwrap_or_else(|| from_fn(|k| array[(k / 4, k % 4)])))
                .map_err(|why| Failure::Value(format!("{name} {why}")))
        }
        (rows, columns) => Err(Failure::Value(format!("{name} has the shape ({rows}, {columns}); it must be (4, 4)"))),
    };
    // A copy of sixteen numbers takes less time than the borrow checking of the crate `numpy`.
    match argument.cast::<PyArray2<f64>>() {
        Ok(array) if is_regular(array) && array.len() == 16 => one(array.to_owned_array().view()),
        _ => read(argument, name, one),
    }
}

/// Poses from an array (n, 4, 4).
pub fn poses(argument: &Bound<'_, PyAny>, name: &str) -> Outcome<Vec<Pose>> {
    read::<f64, Ix3, _>(argument, name, |array| {
        let (count, rows, columns) = array.dim();
        if (rows, columns) != (4, 4) {
            let shape = format!("({count}, {rows}, {columns})");
            return Err(Failure::Value(format!("{name} has the shape {shape}; it must be (n, 4, 4)")));
        }
        let one = |(k, matrix): (usize, &[f64; 16])| {
            rigid(matrix).map_err(|why| Failure::Value(format!("{name}[{k}] {why}")))
        };
        if let Some(numbers) = array.as_slice() {
            return numbers.as_chunks().0.iter().enumerate().map(one).collect();
        }
        (0..count).map(|pose| one((pose, &from_fn(|k| array[(pose, k / 4, k % 4)])))).collect()
    })
}

/// The rigid motion of a matrix, row by row, or why it is none.
fn rigid(matrix: &[f64; 16]) -> Result<Pose, String> {
    let &[xx, xy, xz, x, yx, yy, yz, y, zx, zy, zz, z, last @ ..] = matrix;
    let (rotation, translation) = (DMat3::from_cols_array(&[xx, yx, zx, xy, yy, zy, xz, yz, zz]), DVec3::new(x, y, z));
    if !(rotation.is_finite() && translation.is_finite()) {
        return Err("has an element that is not finite".into());
    }
    if last != [0.0, 0.0, 0.0, 1.0] {
        return Err("has another last row than (0, 0, 0, 1)".into());
    }
    let off = (rotation.transpose() * rotation - DMat3::IDENTITY).to_cols_array().into_iter();
    let most = off.fold(0.0, |most: f64, x| most.max(x.abs()));
    if most > ORTHONORMAL || rotation.determinant() < 0.0 {
        return Err(format!("is no rigid motion: its upper left part is {rotation}, not a rotation"));
    }
    Ok(Pose::from_parts(translation, DQuat::from_mat3(&rotation).normalize()))
}

/// A pose as a read-only matrix (4, 4).
///
/// # Errors
/// None that are known.
pub fn pose_array<'py>(py: Python<'py>, pose: &Pose) -> PyResult<Bound<'py, PyAny>> {
    let array = PyArray2::from_owned_array(
        py,
        numpy::ndarray::Array2::from_shape_fn((4, 4), {
            let numbers = matrices([*pose].into_iter());
            move |(i, j)| numbers[4 * i + j]
        }),
    );
    array.readwrite().make_nonwriteable();
    Ok(array.into_any())
}

/// A read-only array (n,).
pub fn frozen<'py, T: Element>(py: Python<'py>, numbers: Vec<T>) -> Bound<'py, PyArray1<T>> {
    let array = numbers.into_pyarray(py);
    array.readwrite().make_nonwriteable();
    array
}

/// A read-only structured array (n,) of this type, whose elements are whole words of eight bytes.
///
/// # Errors
/// If the words are not those of whole elements, or there is no memory for them.
pub fn records<'py>(words: Vec<u64>, kind: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = kind.py();
    if words.len() > FEW {
        return frozen(py, words).call_method1("view", (kind,));
    }
    static FROM_BUFFER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let from_buffer = FROM_BUFFER.import(py, "numpy", "frombuffer")?;
    let bytes = PyBytes::new_with(py, size_of_val(&*words), |bytes| {
        for (own, word) in bytes.as_chunks_mut().0.iter_mut().zip(&words) {
            *own = word.to_ne_bytes();
        }
        Ok(())
    })?;
    from_buffer.call1((bytes, kind))
}

/// A read-only array of another shape.
///
/// # Errors
/// If there are not as many numbers.
pub fn shaped<'py, T: Element>(py: Python<'py>, numbers: Vec<T>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    frozen(py, numbers).call_method1("reshape", (shape.to_vec(),))
}
/// Poses as numbers of matrices (n, 4, 4).
pub fn matrices(poses: impl Iterator<Item = Pose>) -> Vec<f64> {
    poses
        .flat_map(|pose| {
            let [x, y, z] = DMat3::from_quat(pose.rotation).to_cols_array_2d();
            let t = pose.translation;
            [x[0], y[0], z[0], t.x, x[1], y[1], z[1], t.y, x[2], y[2], z[2], t.z, 0.0, 0.0, 0.0, 1.0]
        })
        .collect()
}
