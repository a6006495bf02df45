//! Case mappings, word properties and widths, as PHP 8.4 has them (`data/unicode.txt`), so that they do not change
//! with the compiler's own tables.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A run of code points that map to themselves plus a difference.
struct Run {
    first: u32,
    last: u32,
    step: u32,
    difference: i32,
}

#[derive(Default)]
struct Mapping {
    runs: Vec<Run>,
    full: HashMap<u32, Vec<u32>>,
}

/// Sorted ranges of code points.
#[derive(Default)]
struct Ranges(Vec<(u32, u32)>);

impl Ranges {
    fn contains(&self, code: u32) -> bool {
        let after = self.0.partition_point(|&(first, _)| first <= code);
        after > 0 && self.0[after - 1].1 >= code
    }
}

#[derive(Default)]
struct Tables {
    upper: Mapping,
    lower: Mapping,
    title: Mapping,
    fold: Mapping,
    cased: Ranges,
    ignorable: Ranges,
    wide: Ranges,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables::default();
    for line in include_str!("../data/unicode.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        tables.read(line);
    }
    tables
});

impl Tables {
    fn read(&mut self, line: &str) {
        let mut fields = line.split(' ');
        let name = fields.next().unwrap_or("");
        let rest: Vec<&str> = fields.collect();
        let code = |index: usize| {
            rest.get(index)
                .and_then(|text| u32::from_str_radix(text, 16).ok())
                .unwrap_or(0)
        };
        let decimal = |index: usize| {
            rest.get(index)
                .and_then(|text| text.parse::<i32>().ok())
                .unwrap_or(0)
        };
        let (full, name) = name
            .strip_prefix("full-")
            .map_or((false, name), |name| (true, name));
        let ranges = match name {
            "cased" => Some(&mut self.cased),
            "ignorable" => Some(&mut self.ignorable),
            "wide" => Some(&mut self.wide),
            _ => None,
        };
        if let Some(ranges) = ranges {
            ranges.0.push((code(0), code(1)));
            return;
        }
        let mapping = match name {
            "upper" => &mut self.upper,
            "lower" => &mut self.lower,
            "title" => &mut self.title,
            _ => &mut self.fold,
        };
        if full {
            mapping
                .full
                .insert(code(0), (1..rest.len()).map(code).collect());
        } else {
            let step = decimal(2).unsigned_abs().max(1);
            mapping.runs.push(Run {
                first: code(0),
                last: code(1),
                step,
                difference: decimal(3),
            });
        }
    }
}

impl Mapping {
    fn simple(&self, code: u32) -> u32 {
        // Runs with a step of two may overlap others, so the nearest few before are looked at.
        let after = self.runs.partition_point(|run| run.first <= code);
        let nearest = self.runs[..after].iter().rev().take(4);
        let run = nearest
            .into_iter()
            .find(|run| code <= run.last && (code - run.first).is_multiple_of(run.step));
        run.map_or(code, |run| code.wrapping_add_signed(run.difference))
    }
}

/// What a mapping maps to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    Upper,
    Lower,
    Title,
    Fold,
}

impl Case {
    fn mapping(self) -> &'static Mapping {
        match self {
            Case::Upper => &TABLES.upper,
            Case::Lower => &TABLES.lower,
            Case::Title => &TABLES.title,
            Case::Fold => &TABLES.fold,
        }
    }

    /// The one code point that `code` maps to.
    pub fn simple(self, code: u32) -> u32 {
        match u8::try_from(code) {
            Ok(byte @ 0..0x80) => u32::from(match self {
                Case::Upper | Case::Title => byte.to_ascii_uppercase(),
                Case::Lower | Case::Fold => byte.to_ascii_lowercase(),
            }),
            _ => self.mapping().simple(code),
        }
    }

    /// Gives `out` the code points that `code` maps to in full.
    pub fn full(self, code: u32, out: &mut impl FnMut(u32)) {
        if code < 0x80 {
            return out(self.simple(code));
        }
        let mapping = self.mapping();
        match mapping.full.get(&code) {
            Some(codes) => codes.iter().for_each(|&code| out(code)),
            None => out(mapping.simple(code)),
        }
    }
}

/// Whether a letter after it is inside of a word.
pub fn is_cased(code: u32) -> bool {
    TABLES.cased.contains(code)
}

/// Whether it neither begins nor ends a word.
pub fn is_case_ignorable(code: u32) -> bool {
    TABLES.ignorable.contains(code)
}

/// How many columns a character takes: 1 or 2.
pub fn width(code: u32) -> usize {
    if code >= 0x1100 && TABLES.wide.contains(code) {
        2
    } else {
        1
    }
}
