//! The command line's options as getopt() reads them: short ones in bundles, long ones by their whole name, `--` and the first
//! argument without a dash end them; what is not known is passed over.

use jumbo_value::{HeapVec, OutOfMemory};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    Nothing,
    Required,
    Optional,
}

pub struct Long<'t> {
    name: &'t [u8],
    takes: Takes,
}

impl Long<'_> {
    /// `name`, `name:`, `name::`.
    pub fn parse(text: &[u8]) -> Long<'_> {
        let (name, takes) = colons(text);
        Long { name, takes }
    }
}

fn colons(text: &[u8]) -> (&[u8], Takes) {
    match text.strip_suffix(b"::") {
        Some(name) => (name, Takes::Optional),
        None => match text.strip_suffix(b":") {
            Some(name) => (name, Takes::Required),
            None => (text, Takes::Nothing),
        },
    }
}

pub struct Options<'t> {
    pub short: HeapVec<(u8, Takes)>,
    pub long: HeapVec<Long<'t>>,
}

/// Name and value of each option found, in order.
type Found<'a> = HeapVec<(&'a [u8], Option<&'a [u8]>)>;

pub struct Parsed<'a> {
    pub found: Found<'a>,
    /// Index of the first argument that is no option.
    pub rest: usize,
}

impl Options<'_> {
    pub fn parse_short(text: &[u8]) -> Result<HeapVec<(u8, Takes)>, OutOfMemory> {
        let mut list = HeapVec::new();
        let mut at = 0;
        while let Some(&name) = text.get(at) {
            at += 1;
            if !name.is_ascii_alphanumeric() {
                continue;
            }
            let count = text[at..].iter().take(2).take_while(|b| **b == b':').count();
            at += count;
            list.push((name, [Takes::Nothing, Takes::Required, Takes::Optional][count]))?;
        }
        Ok(list)
    }

    /// `arguments[0]` is the program.
    pub fn parse<'a>(&self, arguments: &[&'a [u8]]) -> Result<Parsed<'a>, OutOfMemory> {
        let mut found = HeapVec::new();
        let mut at = 1;
        while let Some(&argument) = arguments.get(at) {
            if argument.len() < 2 || argument[0] != b'-' {
                break;
            }
            at += 1;
            if argument == b"--" {
                break;
            }
            match argument.strip_prefix(b"--") {
                Some(body) => self.long(body, arguments, &mut at, &mut found)?,
                None => self.bundle(&argument[1..], arguments, &mut at, &mut found)?,
            }
        }
        Ok(Parsed { found, rest: at.min(arguments.len().max(1)) })
    }

    fn long<'a>(&self, body: &'a [u8], arguments: &[&'a [u8]], at: &mut usize, found: &mut Found<'a>) -> Result<(), OutOfMemory> {
        let (name, given) = match body.iter().position(|b| *b == b'=') {
            Some(eq) => (&body[..eq], Some(&body[eq + 1..])),
            None => (body, None),
        };
        let Some(long) = self.long.iter().find(|l| l.name == name) else { return Ok(()) };
        match (long.takes, given) {
            (Takes::Nothing, _) => found.push((name, None)),
            (_, Some(value)) if !value.is_empty() || long.takes == Takes::Optional => {
                found.push((name, Some(value).filter(|v| !v.is_empty())))
            }
            (Takes::Optional, _) => found.push((name, None)),
            (Takes::Required, _) => match arguments.get(*at) {
                Some(value) => {
                    *at += 1;
                    found.push((name, Some(*value)))
                }
                None => Ok(()),
            },
        }
    }

    fn bundle<'a>(&self, body: &'a [u8], arguments: &[&'a [u8]], at: &mut usize, found: &mut Found<'a>) -> Result<(), OutOfMemory> {
        let mut rest = body;
        while let Some((key, behind)) = rest.split_at_checked(1) {
            let name = key[0];
            rest = behind;
            let Some(&(_, takes)) = self.short.iter().find(|(n, _)| *n == name) else { continue };
            if takes == Takes::Nothing {
                found.push((key, None))?;
                continue;
            }
            let value = match behind {
                [] if takes == Takes::Required => match arguments.get(*at) {
                    Some(next) => {
                        *at += 1;
                        *next
                    }
                    None => return Ok(()),
                },
                [] => return found.push((key, None)),
                [b'=', value @ ..] => value,
                value => value,
            };
            return found.push((key, Some(value)));
        }
        Ok(())
    }
}
