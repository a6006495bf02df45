//! Ini settings of one instance: what php.ini, `-d` and the server set (masters), and what the script changed.

use crate::desc::IniDesc;
use indexmap::IndexMap;
use jumbo_value::hash::BuildBytesHasher;
use std::sync::Arc;

/// One setting.
#[derive(Clone)]
pub struct IniEntry {
    pub value: Option<Box<[u8]>>,
    /// Value before the script changed it; None: unchanged.
    pub original: Option<Option<Box<[u8]>>>,
    pub access: u32,
    pub on_change: Option<fn(&mut crate::Cx, &[u8]) -> bool>,
    pub extension: &'static str,
}

/// All settings, by name.
#[derive(Clone, Default)]
pub struct IniTable {
    entries: IndexMap<Box<[u8]>, IniEntry, BuildBytesHasher>,
    /// Shared by all instances: scripts do not change it.
    configuration: Arc<Configuration>,
}

/// What the administrator has said, whatever came of it.
#[derive(Clone, Default)]
pub struct Configuration {
    /// By name, as written in php.ini or after `-d` (`get_cfg_var`).
    values: IndexMap<Box<[u8]>, Box<[u8]>, BuildBytesHasher>,
    /// php.ini itself.
    pub loaded_file: Option<Box<[u8]>>,
    /// The files of the scanned folders, in order.
    pub scanned_files: Vec<Box<[u8]>>,
}

impl IniTable {
    pub fn declare(&mut self, desc: &IniDesc, extension: &'static str) {
        let entry = IniEntry {
            value: desc.default.map(|d| d.as_bytes().into()),
            original: None,
            access: desc.access,
            on_change: desc.on_change,
            extension,
        };
        self.entries.insert(desc.name.as_bytes().into(), entry);
    }
    /// Sets a value from php.ini, `-d` or the server: not undone by ini_restore. An unknown name is kept, as PHP does (`cfg`).
    pub fn configure(&mut self, name: &[u8], value: &[u8]) {
        Arc::make_mut(&mut self.configuration).values.insert(name.into(), value.into());
        match self.entries.get_mut(name) {
            Some(entry) => entry.value = Some(value.into()),
            None => {
                let entry = IniEntry { value: Some(value.into()), original: None, access: 0, on_change: None, extension: "" };
                self.entries.insert(name.into(), entry);
            }
        }
    }
    pub fn get(&self, name: &[u8]) -> Option<&IniEntry> {
        // An entry with access 0 was configured, but no extension declares it: not a setting.
        self.entries.get(name).filter(|e| e.access != 0)
    }
    /// Says which files the settings are from.
    pub fn configured_by(&mut self, loaded_file: Option<Box<[u8]>>, scanned_files: Vec<Box<[u8]>>) {
        let configuration = Arc::make_mut(&mut self.configuration);
        configuration.loaded_file = loaded_file;
        configuration.scanned_files = scanned_files;
    }
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }
    /// The text that php.ini, `-d` or the server gave, also of undeclared names (`get_cfg_var`); None: they say nothing about it.
    pub fn given(&self, name: &[u8]) -> Option<&[u8]> {
        self.configuration.values.get(name).map(|value| &**value)
    }
    /// Takes a configured value back that the setting does not allow: it stays as it was declared.
    pub fn refuse(&mut self, name: &[u8], declared: Option<Box<[u8]>>) {
        if let Some(entry) = self.entries.get_mut(name) {
            entry.value = declared;
        }
    }
    /// The value, be the setting declared or only configured.
    pub fn configured(&self, name: &[u8]) -> Option<&[u8]> {
        self.entries.get(name)?.value.as_deref()
    }
    pub fn get_mut(&mut self, name: &[u8]) -> Option<&mut IniEntry> {
        self.entries.get_mut(name).filter(|e| e.access != 0)
    }
    /// Undoes what the script has changed.
    pub fn restore_all(&mut self) {
        for entry in self.entries.values_mut() {
            if let Some(original) = entry.original.take() {
                entry.value = original;
            }
        }
    }
    pub fn str(&self, name: &str) -> &[u8] {
        self.entries.get(name.as_bytes()).and_then(|e| e.value.as_deref()).unwrap_or(b"")
    }
    pub fn int(&self, name: &str) -> i64 {
        parse_quantity(self.str(name))
    }
    pub fn bool(&self, name: &str) -> bool {
        parse_bool(self.str(name))
    }
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &IniEntry)> {
        self.entries.iter().filter(|(_, e)| e.access != 0).map(|(n, e)| (&**n, e))
    }
}

/// `on`, `yes`, `true` or a number other than 0.
pub fn parse_bool(value: &[u8]) -> bool {
    value.eq_ignore_ascii_case(b"on")
        || value.eq_ignore_ascii_case(b"yes")
        || value.eq_ignore_ascii_case(b"true")
        || jumbo_value::number::str_to_int(value) != 0
}

/// A number with PHP's suffixes: `128M`, `1K`, `2g`.
pub fn parse_quantity(value: &[u8]) -> i64 {
    parse_quantity_checked(value).0
}

/// Text as some messages show it: what is not printable ASCII, and the backslash, as escape sequences.
fn escaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &byte in text {
        let letter = match byte {
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x0c => b'f',
            0x0b => b'v',
            b'\\' => b'\\',
            0x1b => b'e',
            b' '..=b'~' => {
                out.push(byte);
                continue;
            }
            _ => {
                out.extend_from_slice(format!("\\x{byte:02X}").as_bytes());
                continue;
            }
        };
        out.extend([b'\\', letter]);
    }
    out
}

/// As [`parse_quantity`], with what PHP says about a value that is no such number.
pub fn parse_quantity_checked(value: &[u8]) -> (i64, Option<Vec<u8>>) {
    let is_space = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c);
    let complain = |why: &[&[u8]]| Some([b"Invalid quantity \"".as_slice(), &escaped(value), b"\"", &why.concat(), b" for backwards compatibility"].concat());
    let first = value.iter().position(|b| !is_space(b)).unwrap_or(value.len());
    let end = value.iter().rposition(|b| !is_space(b)).map_or(first, |last| last + 1);
    let text = &value[..end];
    if first == end {
        return (0, None);
    }
    let negative = text[first] == b'-';
    let mut at = first + usize::from(matches!(text[first], b'-' | b'+'));
    let digit = |at: usize, radix: u32| text.get(at).and_then(|b| char::from(*b).to_digit(radix));
    if digit(at, 10).is_none() {
        return (0, complain(&[b": no valid leading digits, interpreting as \"0\""]));
    }
    let mut radix = 10;
    if text[at] == b'0' && digit(at + 1, 10).is_none() {
        match text.get(at + 1) {
            None => return (0, None),
            Some(b'g' | b'G' | b'm' | b'M' | b'k' | b'K') => {}
            Some(letter) => {
                radix = match letter {
                    b'x' | b'X' => 16,
                    b'o' | b'O' => 8,
                    b'b' | b'B' => 2,
                    other => {
                        let text = [b"Invalid prefix \"0".as_slice(), &[*other], b"\", interpreting as \"0\" for backwards compatibility"].concat();
                        return (0, Some(text));
                    }
                };
                at += 2;
                if digit(at, radix).is_none() {
                    let nothing = text.get(at).is_none_or(|b| is_space(b) || matches!(b, b'-' | b'+'));
                    let why: &[u8] = if nothing { b": no digits after base prefix" } else { b": no valid leading digits" };
                    return (0, complain(&[why, b", interpreting as \"0\""]));
                }
            }
        }
    } else if text[at] == b'0' {
        // As in PHP code, a leading zero means octal.
        radix = 8;
    }
    let (mut number, mut overflow) = (0i64, false);
    while let Some(d) = digit(at, radix) {
        let next = number.checked_mul(i64::from(radix)).and_then(|n| n.checked_add(i64::from(d)));
        overflow |= next.is_none();
        number = next.unwrap_or_else(|| number.wrapping_mul(i64::from(radix)).wrapping_add(i64::from(d)));
        at += 1;
    }
    if negative {
        number = number.wrapping_neg();
    }
    while at < end && is_space(&text[at]) {
        at += 1;
    }
    if at == end {
        let why = overflow.then(|| complain(&[b": value is out of range, using overflow result"])).flatten();
        return (number, why);
    }
    let last = text[end - 1];
    let shift = match last {
        b'k' | b'K' => 10,
        b'm' | b'M' => 20,
        b'g' | b'G' => 30,
        _ => return (number, complain(&[b": unknown multiplier \"", &escaped(&[last]), b"\", interpreting as \"", &escaped(&text[first..at]), b"\""])),
    };
    let shifted = number.wrapping_shl(shift);
    if at != end - 1 {
        return (shifted, complain(&[b", interpreting as \"", &escaped(&text[first..at]), &[last], b"\""]));
    }
    overflow |= shifted >> shift != number;
    (shifted, overflow.then(|| complain(&[b": value is out of range, using overflow result"])).flatten())
}
