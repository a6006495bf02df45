//! The command line's options as getopt() reads them: short ones in bundles, long ones by their whole name, `--` and the first
//! argument without a dash end them; what is not known is passed over.

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    Nothing,
    Required,
    Optional,
}

pub struct Long {
    name: Vec<u8>,
    takes: Takes,
}

impl Long {
    /// `name`, `name:`, `name::`.
    pub fn parse(text: &[u8]) -> Long {
        let (name, takes) = colons(text);
        Long { name: name.to_vec(), takes }
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

pub struct Options {
    pub short: Vec<(u8, Takes)>,
    pub long: Vec<Long>,
}

pub struct Parsed {
    /// Name and value of each option found, in order.
    pub found: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    /// Index of the first argument that is no option.
    pub rest: usize,
}

impl Options {
    pub fn parse_short(text: &[u8]) -> Vec<(u8, Takes)> {
        let mut list = Vec::new();
        let mut at = 0;
        while let Some(&name) = text.get(at) {
            at += 1;
            if !name.is_ascii_alphanumeric() {
                continue;
            }
            let count = text[at..].iter().take(2).take_while(|b| **b == b':').count();
            at += count;
            list.push((name, [Takes::Nothing, Takes::Required, Takes::Optional][count]));
        }
        list
    }

    /// `arguments[0]` is the program.
    pub fn parse(&self, arguments: &[&[u8]]) -> Parsed {
        let mut found = Vec::new();
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
                Some(body) => self.long(body, arguments, &mut at, &mut found),
                None => self.bundle(&argument[1..], arguments, &mut at, &mut found),
            }
        }
        Parsed { found, rest: at.min(arguments.len().max(1)) }
    }

    fn long(&self, body: &[u8], arguments: &[&[u8]], at: &mut usize, found: &mut Vec<(Vec<u8>, Option<Vec<u8>>)>) {
        let (name, given) = match body.iter().position(|b| *b == b'=') {
            Some(eq) => (&body[..eq], Some(&body[eq + 1..])),
            None => (body, None),
        };
        let Some(long) = self.long.iter().find(|l| l.name == name) else { return };
        match (long.takes, given) {
            (Takes::Nothing, _) => found.push((name.to_vec(), None)),
            (_, Some(value)) if !value.is_empty() || long.takes == Takes::Optional => {
                found.push((name.to_vec(), Some(value.to_vec()).filter(|v| !v.is_empty())));
            }
            (Takes::Optional, _) => found.push((name.to_vec(), None)),
            (Takes::Required, _) => {
                if let Some(value) = arguments.get(*at) {
                    *at += 1;
                    found.push((name.to_vec(), Some(value.to_vec())));
                }
            }
        }
    }

    fn bundle(&self, body: &[u8], arguments: &[&[u8]], at: &mut usize, found: &mut Vec<(Vec<u8>, Option<Vec<u8>>)>) {
        let mut rest = body;
        while let Some((&name, behind)) = rest.split_first() {
            rest = behind;
            let Some(&(_, takes)) = self.short.iter().find(|(n, _)| *n == name) else { continue };
            let key = vec![name];
            if takes == Takes::Nothing {
                found.push((key, None));
                continue;
            }
            let value = match behind {
                [] if takes == Takes::Required => match arguments.get(*at) {
                    Some(next) => {
                        *at += 1;
                        next
                    }
                    None => return,
                },
                [] => {
                    found.push((key, None));
                    return;
                }
                [b'=', value @ ..] => value,
                value => value,
            };
            found.push((key, Some(value.to_vec())));
            return;
        }
    }
}
