//! Ini settings of one instance: what php.ini, `-d` and the server set (masters), and what the script changed.

use crate::desc::IniDesc;
use indexmap::IndexMap;

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
    entries: IndexMap<Box<[u8]>, IniEntry>,
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
    /// The text as php.ini gave it, also of undeclared names (`get_cfg_var`).
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
    let value = value.trim_ascii();
    let (digits, shift) = match value.last() {
        Some(b'k' | b'K') => (&value[..value.len() - 1], 10),
        Some(b'm' | b'M') => (&value[..value.len() - 1], 20),
        Some(b'g' | b'G') => (&value[..value.len() - 1], 30),
        _ => (value, 0),
    };
    let digits = digits.trim_ascii();
    let radix = |prefix: &[u8], radix| {
        let s = digits.strip_prefix(prefix)?;
        i64::from_str_radix(std::str::from_utf8(s).ok()?, radix).ok()
    };
    let n = radix(b"0x", 16)
        .or_else(|| radix(b"0X", 16))
        .or_else(|| radix(b"0b", 2))
        .or_else(|| radix(b"0o", 8))
        .unwrap_or_else(|| jumbo_value::number::str_to_int(digits));
    n.wrapping_shl(shift)
}
