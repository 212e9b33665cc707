//! Ways to damage a file of which each leaves an invalid file or an invalid surface.

use std::ops::Range;

use drystone_contact::shape::mesh_file::MeshFile;

use super::sample::{FORMATS, Format, Random, Sample};

/// A way to damage a file.
pub struct Damage {
    pub name: &'static str,
    /// Which formats can suffer it.
    pub concerns: fn(Format) -> bool,
    /// Makes the damaged file, of the whole file and the mesh in it.
    pub inflict: fn(&Sample, &MeshFile, &mut Random) -> Sample,
}

const fn damage(
    name: &'static str,
    concerns: fn(Format) -> bool,
    inflict: fn(&Sample, &MeshFile, &mut Random) -> Sample,
) -> Damage {
    Damage { name, concerns, inflict }
}

fn every(_: Format) -> bool {
    true
}

fn is_text(format: Format) -> bool {
    !format.is_binary()
}

fn has_counts(format: Format) -> bool {
    !matches!(format, Format::Obj | Format::StlText)
}

pub const DAMAGES: [Damage; 25] = [
    damage("truncation", every, truncation),
    damage("a corrupt word", is_text, corrupt_word),
    damage("a deleted line", is_text, deleted_line),
    damage("a doubled line", is_text, doubled_line),
    damage("swapped words", is_text, swapped_words),
    damage("a bad coordinate", every, bad_coordinate),
    damage("a bad index", |format| !format.is_stl(), bad_index),
    damage("a hostile count", has_counts, hostile_count),
    damage("a wrong count", has_counts, wrong_count),
    damage("a corrupt section name", Format::is_gmsh, corrupt_section),
    damage("a corrupt header", Format::is_gmsh, corrupt_header),
    damage("lost bytes", Format::is_binary, lost_bytes),
    damage("inserted bytes", Format::is_binary, inserted_bytes),
    damage("another format", every, another_format),
    damage("noise", every, noise),
    damage("a missing face", every, |s, m, r| remade(s, m, r, missing_face)),
    damage("a reversed face", every, |s, m, r| remade(s, m, r, reversed_face)),
    damage("a doubled face", every, |s, m, r| remade(s, m, r, doubled_face)),
    damage("a face with a wrong corner", every, |s, m, r| remade(s, m, r, wrong_corner)),
    damage("a face with a repeated corner", every, |s, m, r| remade(s, m, r, repeated_corner)),
    damage("all faces reversed", every, |s, m, r| remade(s, m, r, all_reversed)),
    damage("a vertex on another", every, |s, m, r| remade(s, m, r, coincident_vertex)),
    damage("the top below the bottom", every, |s, m, r| remade(s, m, r, sunken_top)),
    damage("a flat shape", every, |s, m, r| remade(s, m, r, flattened)),
    damage("a shape through itself", every, |s, m, r| remade(s, m, r, overlapping_copy)),
];

// Damages of the bytes.

/// Cuts the file inside its data: at most up to the last word of text, so that at least a whole word is lost.
fn truncation(sample: &Sample, _: &MeshFile, random: &mut Random) -> Sample {
    with_part(sample, random, |format, bytes, random| {
        let end = match format {
            Format::StlBinary => bytes.len(),
            Format::Gmsh2Binary | Format::Gmsh4Binary => after(bytes, "\n$EndElements") - "$EndElements".len() + 1,
            _ => words(bytes).last().unwrap().start + 1,
        };
        bytes.truncate(random.below(end));
    })
}

/// Puts a byte into a word that is part of no number and no keyword.
fn corrupt_word(sample: &Sample, _: &MeshFile, random: &mut Random) -> Sample {
    with_part(sample, random, |_, bytes, random| {
        let word = random.pick(&words(bytes)).clone();
        bytes[word.start + random.below(word.len())] = *random.pick(b"Q?~\0\xff");
    })
}

fn deleted_line(sample: &Sample, _: &MeshFile, random: &mut Random) -> Sample {
    with_part(sample, random, |_, bytes, random| {
        let line = random.pick(&lines(bytes)).clone();
        bytes.drain(line);
    })
}

fn doubled_line(sample: &Sample, _: &MeshFile, random: &mut Random) -> Sample {
    with_part(sample, random, |_, bytes, random| {
        let line = random.pick(&lines(bytes)).clone();
        let copy = bytes[line.clone()].to_vec();
        bytes.splice(line.start..line.start, copy);
    })
}

/// Swaps a decimal number with a word that is an integer or a keyword.
fn swapped_words(sample: &Sample, _: &MeshFile, random: &mut Random) -> Sample {
    let mut sample = sample.clone();
    let bytes = &mut sample.parts[0];
    let is_decimal = |word: &Range<usize>| bytes[word.clone()].contains(&b'.');
    let (decimals, others): (Vec<_>, Vec<_>) = words(bytes).into_iter().partition(is_decimal);
    let (decimal, other) = (random.pick(&decimals).clone(), random.pick(&others).clone());
    let texts = [bytes[decimal.clone()].to_vec(), bytes[other.clone()].to_vec()];
    // The later one first, so that the range of the earlier one stays right.
    let mut swaps = [(decimal, &texts[1]), (other, &texts[0])];
    swaps.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    for (range, text) in swaps {
        bytes.splice(range, text.iter().copied());
    }
    sample
}

fn bad_coordinate(sample: &Sample, mesh: &MeshFile, random: &mut Random) -> Sample {
    // The last two are finite, but beyond what a surface can be.
    const BAD: [&str; 8] = ["nan", "NaN", "inf", "-infinity", "1e999", "-1e400", "1e61", "-1.5e300"];
    let mut sample = sample.clone();
    let bytes = &mut sample.parts[0];
    let bad = *random.pick(&BAD);
    let vertex = random.below(mesh.vertices.len());
    let axis = random.below(3);
    match sample.format {
        Format::StlBinary => {
            let at = 84 + 50 * random.below(mesh.triangles.len()) + 12 + 4 * random.below(9);
            // Numbers beyond 32 bits become infinite.
            bytes[at..at + 4].copy_from_slice(&(bad.parse::<f64>().unwrap() as f32).to_le_bytes());
        }
        Format::Gmsh2Binary | Format::Gmsh4Binary => {
            let at = match sample.format {
                Format::Gmsh2Binary => after_line(bytes, "$Nodes\n") + 28 * vertex + 4 + 8 * axis,
                _ => after(bytes, "$Nodes\n") + 52 + 8 * mesh.vertices.len() + 24 * vertex + 8 * axis,
            };
            bytes[at..at + 8].copy_from_slice(&bad.parse::<f64>().unwrap().to_le_bytes());
        }
        format => {
            let is_coordinate = |line: &Range<usize>| match format {
                Format::Obj => bytes[line.clone()].starts_with(b"v "),
                Format::StlText => bytes[line.clone()].starts_with(b"vertex"),
                // No other number has a point.
                Format::Off => true,
                Format::TetGen => line.start > 0,
                _ => line.start > after(bytes, "$Nodes"),
            };
            let lines: Vec<Range<usize>> = lines(bytes).into_iter().filter(is_coordinate).collect();
            let coordinates: Vec<Range<usize>> = lines
                .into_iter()
                .flat_map(|line| words_in(bytes, line))
                .filter(|word| bytes[word.clone()].contains(&b'.'))
                .collect();
            bytes.splice(random.pick(&coordinates).clone(), bad.bytes());
        }
    }
    sample
}

fn bad_index(sample: &Sample, mesh: &MeshFile, random: &mut Random) -> Sample {
    let next = mesh.vertices.len() as u64 + 1;
    let mut sample = sample.clone();
    let triangle = random.below(mesh.triangles.len());
    let corner = random.below(3);
    match sample.format {
        Format::Gmsh2Binary => {
            let bytes = &mut sample.parts[0];
            let at = after_line(bytes, "$Elements\n") + 12 + 24 * triangle + 12 + 4 * corner;
            let bad = *random.pick(&[0, next as i32, i32::MAX, -1, i32::MIN]);
            bytes[at..at + 4].copy_from_slice(&bad.to_le_bytes());
        }
        Format::Gmsh4Binary => {
            let bytes = &mut sample.parts[0];
            let at = after(bytes, "$Elements\n") + 52 + 32 * triangle + 8 + 8 * corner;
            let bad = *random.pick(&[0, next, u64::MAX, 1 << 32, (1 << 32) + 1]);
            bytes[at..at + 8].copy_from_slice(&bad.to_le_bytes());
        }
        format => {
            let part = if format == Format::TetGen { 1 + random.below(2) } else { 0 };
            let bytes = &mut sample.parts[part];
            let start = match format {
                Format::Obj => bytes.windows(3).position(|start| start == b"\nf ").unwrap() + 1,
                Format::Off => lines(bytes).iter().rev().nth(mesh.triangles.len() - 1).unwrap().start,
                Format::TetGen => 1,
                // Behind the row of counts and, in 4.1, the header of the first block.
                Format::Gmsh2Text => after_line(bytes, "$Elements\n"),
                _ => after_line(bytes, "$Elements\n") + 1,
            };
            let end =
                if format.is_gmsh() { after(bytes, "\n$EndElements") - "$EndElements".len() } else { bytes.len() };
            let rows: Vec<Range<usize>> =
                lines(bytes).into_iter().filter(|line| (start..end).contains(&line.start)).collect();
            let last = words_in(bytes, random.pick(&rows).clone()).pop().unwrap();
            let next = next.to_string();
            const FAR: [&str; 5] = ["0", "-1000000", "4294967297", "18446744073709551616", "1000000000000000000000000"];
            // OFF counts from 0.
            let far = if format == Format::Off { &FAR[1..] } else { &FAR[..] };
            let bad = if random.below(6) == 0 { &next } else { *random.pick(far) };
            bytes.splice(last, bad.bytes());
        }
    }
    sample
}

/// Where a part declares counts.
fn counts(sample: &Sample, part: usize) -> Vec<Range<usize>> {
    let bytes = &sample.parts[part];
    let word = |start: usize, number: usize| words_in(bytes, start..bytes.len())[number].clone();
    let sections = ["$Nodes\n", "$Elements\n"];
    match sample.format {
        Format::Obj | Format::StlText => Vec::new(),
        Format::Off => vec![word(0, 1), word(0, 2)],
        Format::StlBinary => std::iter::once(80..84).collect(),
        Format::TetGen => vec![word(0, 0)],
        Format::Gmsh2Text | Format::Gmsh2Binary => {
            sections.iter().map(|section| word(after(bytes, section), 0)).collect()
        }
        // Of blocks, of all nodes or elements, and of those in the first block.
        Format::Gmsh4Text => {
            let count = |section| [0, 1, 7].map(|number| word(after(bytes, section), number));
            sections.into_iter().flat_map(count).collect()
        }
        Format::Gmsh4Binary => {
            let count = |section| [0, 8, 44].map(|at| after(bytes, section) + at).map(|at| at..at + 8);
            sections.into_iter().flat_map(count).collect()
        }
    }
}

/// Replaces a declared count by a number that is not the right one.
fn with_count(sample: &Sample, random: &mut Random, bad: impl Fn(u64, &mut Random) -> i128) -> Sample {
    let mut sample = sample.clone();
    let part = random.below(sample.parts.len());
    let range = random.pick(&counts(&sample, part)).clone();
    let bytes = &mut sample.parts[part];
    let field = &bytes[range.clone()];
    match sample.format {
        Format::StlBinary | Format::Gmsh4Binary => {
            let mut padded = [0; 8];
            padded[..field.len()].copy_from_slice(field);
            let bad = bad(u64::from_le_bytes(padded), random).to_le_bytes();
            let width = range.len();
            bytes.splice(range, bad[..width].iter().copied());
        }
        _ => {
            let bad = bad(std::str::from_utf8(field).unwrap().parse().unwrap(), random);
            bytes.splice(range, bad.to_string().into_bytes());
        }
    }
    sample
}

fn hostile_count(sample: &Sample, _: &MeshFile, random: &mut Random) -> Sample {
    // Cut to 32 bits, too, they are far from the truth.
    const HOSTILE: [i128; 7] =
        [-1, -4, 4_000_000_000, 1_000_000_000_000_000_000, u64::MAX as i128, i64::MAX as i128, i64::MIN as i128 + 1999];
    with_count(sample, random, |_, random| *random.pick(&HOSTILE))
}

fn wrong_count(sample: &Sample, _: &MeshFile, random: &mut Random) -> Sample {
    with_count(sample, random, |count, random| {
        *random.pick(&[0, count as i128 + 1, count as i128 - 1, 3 * count as i128])
    })
}

fn corrupt_section(sample: &Sample, _: &MeshFile, random: &mut Random) -> Sample {
    const NAMES: [&str; 6] =
        ["$MeshFormat", "\n$EndMeshFormat", "\n$Nodes", "\n$EndNodes", "\n$Elements", "\n$EndElements"];
    let mut sample = sample.clone();
    let name = random.pick(&NAMES);
    let end = after(&sample.parts[0], name);
    sample.parts[0][end - 1 - random.below(name.trim_start().len())] = *random.pick(b"Q?~\0\xff");
    sample
}

/// Spoils the version, the encoding or the size of numbers, or in binary the mark of the byte order.
fn corrupt_header(sample: &Sample, _: &MeshFile, random: &mut Random) -> Sample {
    let mut sample = sample.clone();
    let binary = sample.format.is_binary();
    let bytes = &mut sample.parts[0];
    let row = after(bytes, "$MeshFormat\n");
    if binary && random.below(2) == 0 {
        let at = row + "4.1 1 8\n".len();
        bytes[at + random.below(4)] ^= 1 << (1 + random.below(7));
    } else {
        let bad =
            random.pick(&["1.0 0 8", "4.1 2 8", "2.2 0 4", "4.1 -1 8", "4 1 8", "2.2 1", "9.9 0 8", "nan nan nan"]);
        bytes.splice(row..row + "4.1 1 8".len(), bad.bytes());
    }
    sample
}

/// Where the data of a binary file lie.
fn data(sample: &Sample, random: &mut Random) -> Range<usize> {
    let bytes = &sample.parts[0];
    match sample.format {
        Format::StlBinary => 84..bytes.len(),
        Format::Gmsh2Binary if random.below(2) == 0 => after_line(bytes, "$Nodes\n")..after(bytes, "\n$EndNodes") - 10,
        Format::Gmsh2Binary => after_line(bytes, "$Elements\n")..after(bytes, "\n$EndElements") - 13,
        _ if random.below(2) == 0 => after(bytes, "$Nodes\n")..after(bytes, "\n$EndNodes") - 10,
        _ => after(bytes, "$Elements\n")..after(bytes, "\n$EndElements") - 13,
    }
}

/// Takes out two bytes or more: a single one could be made up for by the newline behind the data.
fn lost_bytes(sample: &Sample, _: &MeshFile, random: &mut Random) -> Sample {
    let mut sample = sample.clone();
    let data = data(&sample, random);
    let count = 2 + random.below(data.len().min(100) - 2);
    let start = data.start + random.below(data.len() - count + 1);
    sample.parts[0].drain(start..start + count);
    sample
}

fn inserted_bytes(sample: &Sample, _: &MeshFile, random: &mut Random) -> Sample {
    let mut sample = sample.clone();
    let data = data(&sample, random);
    let at = data.start + random.below(data.len());
    let extra: Vec<u8> = (0..1 + random.below(99)).map(|_| 0x80 | random.bits() as u8).collect();
    sample.parts[0].splice(at..at, extra);
    sample
}

/// Puts a file of one format in the place of another's.
fn another_format(sample: &Sample, mesh: &MeshFile, random: &mut Random) -> Sample {
    let same = |format: Format| {
        format == sample.format
            || format.is_gmsh() && sample.format.is_gmsh()
            || format.is_stl() && sample.format.is_stl()
    };
    let others: Vec<Format> = FORMATS.into_iter().filter(|&format| !same(format)).collect();
    let other = Sample::new(*random.pick(&others), mesh);
    with_part(sample, random, |_, bytes, random| *bytes = random.pick(&other.parts).clone())
}

/// Puts nothing but gaps in the place of a file, or random bytes behind a letter that starts no file.
fn noise(sample: &Sample, _: &MeshFile, random: &mut Random) -> Sample {
    with_part(sample, random, |_, bytes, random| {
        let count = random.below(300);
        *bytes = match random.below(3) {
            0 => (0..count).map(|_| *random.pick(b" \n\r\t")).collect(),
            1 => (0..count).map(|_| *random.pick(b"0123456789.-+e \nvf$#/")).collect(),
            _ => (0..count).map(|_| random.bits() as u8).collect(),
        };
        let first = bytes.iter_mut().find(|byte| !byte.is_ascii_whitespace());
        if let Some(first) = first {
            *first = b'e';
        }
    })
}

/// Damage that may be harmless: flips, inserts, deletes or copies a few bytes anywhere.
pub fn scramble(sample: &mut Sample, random: &mut Random) {
    let part = random.below(sample.parts.len());
    let bytes = &mut sample.parts[part];
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    let end = at + random.below(bytes.len() - at).min(20) + 1;
    match random.below(5) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.bits() as u8,
        2 => bytes[at] = *random.pick(b"0123456789.-e \n"),
        3 => drop(bytes.drain(at..end)),
        _ => {
            let copy = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, copy);
        }
    }
}

// Damages of the surface: the file is well formed, the shape is not.

fn remade(sample: &Sample, mesh: &MeshFile, random: &mut Random, spoil: fn(&mut MeshFile, &mut Random)) -> Sample {
    let mut mesh = mesh.clone();
    spoil(&mut mesh, random);
    Sample::new(sample.format, &mesh)
}

fn missing_face(mesh: &mut MeshFile, random: &mut Random) {
    let at = random.below(mesh.triangles.len());
    mesh.triangles.remove(at);
}

fn reversed_face(mesh: &mut MeshFile, random: &mut Random) {
    let at = random.below(mesh.triangles.len());
    mesh.triangles[at].swap(0, 2);
}

fn doubled_face(mesh: &mut MeshFile, random: &mut Random) {
    let face = *random.pick(&mesh.triangles);
    mesh.triangles.push(face);
}

fn wrong_corner(mesh: &mut MeshFile, random: &mut Random) {
    let at = random.below(mesh.triangles.len());
    let others: Vec<u32> =
        (0..mesh.vertices.len() as u32).filter(|other| !mesh.triangles[at].contains(other)).collect();
    mesh.triangles[at][random.below(3)] = *random.pick(&others);
}

fn repeated_corner(mesh: &mut MeshFile, random: &mut Random) {
    let at = random.below(mesh.triangles.len());
    let corner = random.below(3);
    mesh.triangles[at][corner] = mesh.triangles[at][(corner + 1) % 3];
}

fn all_reversed(mesh: &mut MeshFile, _: &mut Random) {
    mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 2));
}

/// Moves a vertex to a neighbour's place.
fn coincident_vertex(mesh: &mut MeshFile, random: &mut Random) {
    let [a, b, _] = *random.pick(&mesh.triangles);
    mesh.vertices[a as usize] = mesh.vertices[b as usize];
}

/// Turns the shape inside out, by moving the top to the other side of the bottom.
fn sunken_top(mesh: &mut MeshFile, random: &mut Random) {
    let [top, bottom] = [mesh.vertices[0], mesh.vertices[1]];
    mesh.vertices[0] = bottom + random.between(0.1, 2.0) * (bottom - top);
}

fn flattened(mesh: &mut MeshFile, random: &mut Random) {
    let axis = random.below(3);
    mesh.vertices.iter_mut().for_each(|vertex| vertex[axis] = 0.25);
}

/// Adds a copy of the shape that reaches into it.
fn overlapping_copy(mesh: &mut MeshFile, random: &mut Random) {
    let shift = (mesh.vertices[0] - mesh.vertices[1]) * random.between(0.1, 0.9);
    let count = mesh.vertices.len() as u32;
    let copies: Vec<_> = mesh.vertices.iter().map(|&vertex| vertex + shift).collect();
    mesh.vertices.extend(copies);
    let copies: Vec<_> = mesh.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + count)).collect();
    mesh.triangles.extend(copies);
}

// Places in a file.

/// A copy of the sample with one part changed.
fn with_part(sample: &Sample, random: &mut Random, change: impl Fn(Format, &mut Vec<u8>, &mut Random)) -> Sample {
    let mut sample = sample.clone();
    let part = random.below(sample.parts.len());
    change(sample.format, &mut sample.parts[part], random);
    sample
}

/// The lines, each with its newline.
fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut end = 0;
    let span = |line: &[u8]| {
        let start = end;
        end += line.len();
        start..end
    };
    bytes.split_inclusive(|&byte| byte == b'\n').map(span).collect()
}

fn words(bytes: &[u8]) -> Vec<Range<usize>> {
    words_in(bytes, 0..bytes.len())
}

fn words_in(bytes: &[u8], range: Range<usize>) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for at in range.filter(|&at| !bytes[at].is_ascii_whitespace()) {
        match words.last_mut() {
            Some(word) if word.end == at => word.end += 1,
            _ => words.push(at..at + 1),
        }
    }
    words
}

/// Where the first occurrence of a text ends.
fn after(bytes: &[u8], text: &str) -> usize {
    bytes.windows(text.len()).position(|part| part == text.as_bytes()).unwrap() + text.len()
}

/// Where the line behind the first occurrence of a text ends.
fn after_line(bytes: &[u8], text: &str) -> usize {
    let start = after(bytes, text);
    start + bytes[start..].iter().position(|&byte| byte == b'\n').unwrap() + 1
}
