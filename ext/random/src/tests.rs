//! The numbers that stock PHP gives for fixed seeds (`tests/random.tsv`).

use crate::engine::{Engine, Generated};
use crate::float::{Boundary, float_in, next_float};
use crate::mt19937::{Mode, Mt19937};
use crate::pcg::PcgOneseq128XslRr64;
use crate::pick;
use crate::range::range;
use crate::xoshiro::Xoshiro256StarStar;
use std::convert::Infallible;
use std::fmt::{Debug, Display};

type Boxed = Box<dyn Engine<Error = Infallible>>;

impl Engine for Boxed {
    type Error = Infallible;
    fn generate(&mut self) -> Result<Generated, Infallible> {
        (**self).generate()
    }
}

fn engine(name: &str, seed: i64) -> Boxed {
    match name {
        "mt" => Box::new(Mt19937::new(seed as u32, Mode::Standard)),
        "mtphp" => Box::new(Mt19937::new(seed as u32, Mode::Php)),
        "xo" => Box::new(Xoshiro256StarStar::new(seed)),
        "pcg" => Box::new(PcgOneseq128XslRr64::new(u128::from(seed.cast_unsigned()))),
        other => panic!("unknown engine {other}"),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn hex64(value: u64) -> String {
    hex(&value.to_le_bytes())
}

fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items
        .into_iter()
        .map(|item| item.to_string())
        .collect::<Vec<_>>()
        .join(",")
}

/// A sequence goes on from line to line of the file until it is seeded again.
struct Global(Mt19937);

impl Global {
    fn line(&mut self, kind: &str, seed: i64) -> Vec<String> {
        let mt = &mut self.0;
        match kind {
            "mt" => {
                *mt = Mt19937::new(seed as u32, Mode::Standard);
                vec![list((0..5).map(|_| mt.next_positive()))]
            }
            "mtrange" => {
                let ranges = [
                    (1, 6),
                    (0, 1),
                    (-100, 100),
                    (0, 4294967295),
                    (i64::MIN, i64::MAX),
                    (0, 4294967296),
                ];
                let more = [(1, 1000000), (5, 5), (0, i64::MAX)];
                vec![list(
                    ranges
                        .into_iter()
                        .chain(more)
                        .map(|(min, max)| mt.next_in(min, max)),
                )]
            }
            "rand" => {
                let plain: Vec<i64> = (0..3).map(|_| mt.next_positive()).collect();
                let ranges = [(1, 6), (6, 1), (0, 32767), (10, -10)];
                let ranged = ranges.map(|(from, to)| mt.next_in_any_order(from, to));
                vec![list(plain.into_iter().chain(ranged))]
            }
            "shuffle" | "shufflephp" => {
                let mut items: Vec<i32> = (0..10).collect();
                pick::shuffle(mt, items.len(), |a, b| items.swap(a, b)).unwrap();
                vec![list(items)]
            }
            "strshuffle" => {
                let mut items = b"abcdefghij".to_vec();
                pick::shuffle(mt, items.len(), |a, b| items.swap(a, b)).unwrap();
                vec![String::from_utf8(items).unwrap()]
            }
            "arrayrand" => [(20, 7), (20, 15), (10, 1), (5, 5)]
                .map(|(count, n)| list(pick::pick(mt, count, n).unwrap()))
                .into(),
            "mtphp" => {
                *mt = Mt19937::new(seed as u32, Mode::Php);
                let plain: Vec<i64> = (0..5).map(|_| mt.next_positive()).collect();
                let ranged = [(1, 6), (0, 100), (-100, 100), (0, 4294967296)]
                    .map(|(min, max)| mt.next_in(min, max));
                let rand = [(1, 100); 2].map(|(from, to)| mt.next_in_any_order(from, to));
                vec![list(plain.into_iter().chain(ranged).chain(rand))]
            }
            "mtphp650" => {
                *mt = Mt19937::new(seed as u32, Mode::Php);
                vec![list(
                    (0..650)
                        .map(|_| mt.next_positive())
                        .skip(620)
                        .collect::<Vec<_>>(),
                )]
            }
            "mt1250" => {
                *mt = Mt19937::new(seed as u32, Mode::Standard);
                vec![list((0..1250).map(|_| mt.next_positive()).last())]
            }
            other => panic!("unknown kind {other}"),
        }
    }
}

fn check<T: PartialEq + Debug>(
    differences: &mut Vec<String>,
    context: &str,
    found: T,
    expected: T,
) {
    if found != expected {
        differences.push(format!(
            "{context}\n   found {found:?}\n   PHP   {expected:?}"
        ));
    }
}

fn randomizer(kind: &str, engine: &mut Boxed) -> Vec<String> {
    match kind {
        "intphp" => {
            // The old mode's getInt scales one output of 31 bits.
            let ranges = [
                (1, 6),
                (0, 1),
                (-100, 100),
                (0, 4294967295),
                (i64::MIN, i64::MAX),
                (0, 4294967296),
            ];
            let all = ranges.into_iter().chain([(1, 1000000), (5, 5)]);
            let mut found: Vec<i64> = all
                .map(|(min, max)| {
                    crate::mt19937::scale(pick::next_int(engine).unwrap() as u32, min, max)
                })
                .collect();
            found.push(pick::next_int(engine).unwrap());
            vec![list(found)]
        }
        "gen" => {
            let one = |_| {
                let Ok(Generated { value, bytes }) = engine.generate();
                hex(&value.to_le_bytes()[..bytes])
            };
            vec![list((0..3).map(one).collect::<Vec<_>>())]
        }
        "bytes" => [13, 3]
            .map(|length| {
                let mut out = vec![0; length];
                pick::bytes(engine, &mut out).unwrap();
                hex(&out)
            })
            .into(),
        "int" => {
            let ranges = [
                (1, 6),
                (0, 1),
                (-100, 100),
                (0, 4294967295),
                (i64::MIN, i64::MAX),
                (0, 4294967296),
            ];
            let all = ranges.into_iter().chain([(1, 1000000), (5, 5)]);
            let mut found: Vec<i64> = all
                .map(|(min, max)| range(engine, min, max).unwrap())
                .collect();
            found.push(pick::next_int(engine).unwrap());
            vec![list(found)]
        }
        "shuffle" => {
            let mut letters = b"abcdefghijk".to_vec();
            pick::shuffle(engine, 11, |a, b| letters.swap(a, b)).unwrap();
            let mut items: Vec<i32> = (0..10).collect();
            pick::shuffle(engine, 10, |a, b| items.swap(a, b)).unwrap();
            vec![String::from_utf8(letters).unwrap(), list(items)]
        }
        "pick" => [7, 15, 1]
            .map(|wanted| list(pick::pick(engine, 20, wanted).unwrap()))
            .into(),
        "fromstr" => {
            let mut text = |source: &[u8], length| {
                let mut out = vec![0; length];
                pick::bytes_from_string(engine, source, &mut out).unwrap();
                out
            };
            let plain = |bytes| String::from_utf8(bytes).unwrap();
            let long = b"0123456789".repeat(30);
            vec![
                plain(text(b"abc", 10)),
                plain(text(b"abcdefgh", 9)),
                plain(text(b"a", 3)),
                hex(&text(&long, 7)),
            ]
        }
        "float" => {
            let mut found = vec![next_float(engine).unwrap(), next_float(engine).unwrap()];
            for boundary in [
                Boundary::ClosedOpen,
                Boundary::ClosedClosed,
                Boundary::OpenClosed,
                Boundary::OpenOpen,
            ] {
                for (min, max) in [(-1.5, 2.25), (1e300, 1e301), (0.0, 1e-300), (-1e9, 3.0)] {
                    found.push(float_in(engine, min, max, boundary).unwrap().unwrap());
                }
            }
            vec![
                found
                    .iter()
                    .map(|value| format!("{:x}", value.to_bits()))
                    .collect::<Vec<_>>()
                    .join(","),
            ]
        }
        other => panic!("unknown kind {other}"),
    }
}

#[test]
fn same_numbers_as_php() {
    let mut global = Global(Mt19937::new(0, Mode::Standard));
    let mut current: Option<(String, Boxed)> = None;
    let mut differences = Vec::new();
    for line in include_str!("../tests/random.tsv").lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["jump", "xo", first, second] => {
                let mut engine = Xoshiro256StarStar::new(5);
                engine.jump();
                check(
                    &mut differences,
                    line,
                    hex64(engine.next_u64()),
                    first.to_string(),
                );
                engine.jump_long();
                check(
                    &mut differences,
                    line,
                    hex64(engine.next_u64()),
                    second.to_string(),
                );
            }
            ["jump", "pcg", first] => {
                let mut engine = PcgOneseq128XslRr64::new(5);
                engine.jump(10);
                check(
                    &mut differences,
                    line,
                    hex64(engine.next_u64()),
                    first.to_string(),
                );
            }
            ["strseed", "xo", first, _] => {
                let word = u64::from_le_bytes(*b"abcdefgh");
                let mut engine = Xoshiro256StarStar::from_state([word; 4]).unwrap();
                check(
                    &mut differences,
                    line,
                    hex64(engine.next_u64()),
                    first.to_string(),
                );
            }
            ["strseed", "pcg", first, _] => {
                let half = |bytes: &[u8; 8]| u128::from(u64::from_le_bytes(*bytes));
                let mut engine =
                    PcgOneseq128XslRr64::new(half(b"01234567") << 64 | half(b"89abcdef"));
                check(
                    &mut differences,
                    line,
                    hex64(engine.next_u64()),
                    first.to_string(),
                );
            }
            [
                kind,
                name @ ("mt" | "mtphp" | "xo" | "pcg"),
                seed,
                ref expected @ ..,
            ] => {
                // One Randomizer serves the lines from `bytes` on; `gen` has an engine of its own.
                if matches!(kind, "gen" | "bytes") {
                    current = Some((name.to_string(), engine(name, seed.parse().unwrap())));
                }
                let (_, engine) = current.as_mut().unwrap();
                let mut expected: Vec<String> =
                    expected.iter().map(|field| field.to_string()).collect();
                if kind == "float" {
                    let bits = |text: &str| format!("{:x}", text.parse::<f64>().unwrap().to_bits());
                    expected = vec![
                        expected[0]
                            .split(',')
                            .map(bits)
                            .collect::<Vec<_>>()
                            .join(","),
                    ];
                }
                let kind = if name == "mtphp" && kind == "int" {
                    "intphp"
                } else {
                    kind
                };
                check(&mut differences, line, randomizer(kind, engine), expected);
            }
            [kind, seed, ref expected @ ..] => {
                let expected: Vec<String> =
                    expected.iter().map(|field| field.to_string()).collect();
                check(
                    &mut differences,
                    line,
                    global.line(kind, seed.parse().unwrap()),
                    expected,
                );
            }
            _ => panic!("bad line {line}"),
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn lcg_values_are_fractions() {
    let mut lcg = crate::engine::CombinedLcg::seeded().unwrap();
    assert!(
        (0..1000)
            .map(|_| lcg.next_value())
            .all(|value| value > 0.0 && value < 1.0)
    );
}
