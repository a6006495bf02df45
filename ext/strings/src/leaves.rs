//! Short ways into the functions that pages call most, for plain strings ([`Leaf`]).

use crate::pure::charlist::{self, ByteSet, Ends};
use crate::string;
use jumbo_abi::Cx;
use jumbo_abi::desc::Leaf;
use jumbo_value::{PStr, Raw, Value};

pub const LEAVES: &[(&str, Leaf)] = &[
    ("str_contains", |cx, args| of_two(args, |a, b| Raw::bool(string::str_contains(cx, a, b)))),
    ("str_starts_with", |cx, args| of_two(args, |a, b| Raw::bool(string::str_starts_with(cx, a, b)))),
    ("str_ends_with", |cx, args| of_two(args, |a, b| Raw::bool(string::str_ends_with(cx, a, b)))),
    ("strpos", |_, args| of_two(args, |a, b| place(string::find(a, b)))),
    ("strrpos", |_, args| of_two(args, |a, b| place(string::find_last(a, b)))),
    ("substr", substr),
    ("trim", |_, args| trimmed(args, Ends::Both)),
    ("ltrim", |_, args| trimmed(args, Ends::Left)),
    ("rtrim", |_, args| trimmed(args, Ends::Right)),
    ("strtolower", |cx, args| of_one(args, |text| Raw::string(string::strtolower(cx, text)))),
    ("strtoupper", |cx, args| of_one(args, |text| Raw::string(string::strtoupper(cx, text)))),
    ("ucfirst", |cx, args| of_one(args, |text| Raw::string(string::ucfirst(cx, text)))),
    ("lcfirst", |cx, args| of_one(args, |text| Raw::string(string::lcfirst(cx, text)))),
    ("ord", |cx, args| of_one(args, |text| Raw::int(string::ord(cx, text)))),
    ("chr", |_, args| match args {
        [code] => code.as_int().map_or(Raw::UNDEF, |code| Raw::string(PStr::single_byte(code as u8))),
        _ => Raw::UNDEF,
    }),
];

/// Longer ones are for the builtin itself.
const LEN_MAX: usize = 1 << 16;

fn of_one(args: &[Value], answer: impl FnOnce(&PStr) -> Raw) -> Raw {
    match args {
        [text] => text.as_str().filter(|text| text.len() <= LEN_MAX).map_or(Raw::UNDEF, answer),
        _ => Raw::UNDEF,
    }
}

fn of_two(args: &[Value], answer: impl FnOnce(&PStr, &PStr) -> Raw) -> Raw {
    if let [a, b] = args
        && let (Some(a), Some(b)) = (a.as_str(), b.as_str())
        && a.len() <= LEN_MAX
    {
        return answer(a, b);
    }
    Raw::UNDEF
}

fn place(at: Option<usize>) -> Raw {
    at.map_or(Raw::FALSE, |at| Raw::int(at as i64))
}

fn substr(cx: &mut Cx, args: &[Value]) -> Raw {
    let (text, offset, length) = match args {
        [text, offset] => (text, offset, None),
        [text, offset, length] => match length.as_int() {
            Some(length) => (text, offset, Some(length)),
            None => return Raw::UNDEF,
        },
        _ => return Raw::UNDEF,
    };
    match (text.as_str(), offset.as_int()) {
        (Some(text), Some(offset)) => Raw::string(string::substr(cx, text, offset, length)),
        _ => Raw::UNDEF,
    }
}

fn trimmed(args: &[Value], ends: Ends) -> Raw {
    of_one(args, |text| {
        let part = charlist::trim(text, &ByteSet::TRIM_DEFAULT, ends);
        Raw::string(if part.len() == text.len() { text.clone() } else { PStr::new(part) })
    })
}
