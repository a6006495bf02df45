//! preg_split.

use crate::matcher::{MatchError, Matcher, Settings, Subject, Walk};
use crate::regex::Regex;
use jumbo_abi::Cx;

/// The flags that bear on which pieces there are (`PREG_SPLIT_OFFSET_CAPTURE` only bears on how they look).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SplitFlags {
    /// `PREG_SPLIT_NO_EMPTY`
    pub no_empty: bool,
    /// `PREG_SPLIT_DELIM_CAPTURE`
    pub delim_capture: bool,
}

/// Gives `piece` the start and end of each piece of `subject`, in order; `None` stands for a delimiter's group that took
/// no part (an empty string at offset -1). `limit` counts as in PHP: -1 and 0 mean all.
pub fn split(
    mut cx: Option<&mut Cx>,
    regex: &Regex,
    settings: &Settings,
    subject: &[u8],
    limit: i64,
    flags: SplitFlags,
    mut piece: impl FnMut(Option<(usize, usize)>),
) -> Result<(), MatchError> {
    let mut left = if limit == 0 { -1 } else { limit };
    let subject = Subject::new(subject);
    let mut matcher = Matcher::new(regex, settings)?;
    let mut walk = Walk::new(&mut matcher, &subject, 0);
    let mut last = 0;
    while (left == -1 || left > 1) && walk.advance(cx.as_deref_mut())? {
        let (start, end) = walk.matcher.span();
        if !flags.no_empty || start != last {
            piece(Some((last, start.max(last))));
            if left != -1 {
                left -= 1;
            }
        }
        if flags.delim_capture {
            for group in 1..walk.matcher.count() {
                let span = walk.matcher.group(group);
                if !flags.no_empty || span.is_some_and(|(start, end)| end > start) {
                    piece(span);
                }
            }
        }
        last = end;
    }
    if !flags.no_empty || last < subject.bytes().len() {
        piece(Some((last, subject.bytes().len())));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of pattern, subject, limit, flags (bit 1 no empty, 2 delimiters, 4 offsets) and stock PHP's result.
    const CASES: &str = include_str!("../tests/split.tsv");

    #[test]
    fn splits_as_php() {
        let mut cases = 0;
        for line in CASES.lines() {
            let [pattern, subject, limit, flags, expected] =
                line.split('\t').collect::<Vec<_>>()[..]
            else {
                panic!("bad line {line}");
            };
            let regex = Regex::compile(pattern.as_bytes()).unwrap();
            let bits: u32 = flags.parse().unwrap();
            let flags = SplitFlags {
                no_empty: bits & 1 != 0,
                delim_capture: bits & 2 != 0,
            };
            let mut pieces = Vec::new();
            let settings = Settings::default();
            split(
                None,
                &regex,
                &settings,
                subject.as_bytes(),
                limit.parse().unwrap(),
                flags,
                |span| {
                    let text = span.map_or("", |(start, end)| &subject[start..end]);
                    let start = span.map_or(-1, |(start, _)| start as i64);
                    pieces.push(if bits & 4 != 0 {
                        format!("[\"{text}\",{start}]")
                    } else {
                        format!("\"{text}\"")
                    });
                },
            )
            .unwrap();
            assert_eq!(format!("[{}]", pieces.join(",")), expected, "{line}");
            cases += 1;
        }
        assert_eq!(cases, 480);
    }
}
