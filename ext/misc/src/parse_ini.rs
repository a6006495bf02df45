//! parse_ini_string, parse_ini_file.

use crate::settings::environment_variable;
use jumbo_abi::stream::{self, OpenOptions, StreamHandle};
use jumbo_abi::{Cx, Key, Level, OrFalse, PArray, PStr, Res, Stop, Value};
use jumbo_abi::work::UNITS;
use jumbo_value::HeapCharge;
use std::cell::{Cell, RefCell};
use jumbo_syntax::ini::{self, Item, Mode, Names, Scalar};

/// Constants, settings and the environment of the instance. What looking at a constant raises ends the call afterwards.
struct Instance<'a> {
    cx: &'a mut Cx,
    stop: Option<Stop>,
    /// What names and values take, and what names stand for, since the last statement.
    held: &'a RefCell<HeapCharge>,
    held_bytes: &'a Cell<usize>,
    /// Bytes read since the last safepoint.
    read: usize,
}

/// Statements below this are not counted.
const SHORT_BYTES: usize = 4 << 10;

impl Instance<'_> {
    /// Charges what a statement takes besides what it takes already; None: there is no more.
    fn hold(&mut self, more: usize) -> Option<()> {
        let bytes = self.held_bytes.get() + more;
        self.held_bytes.set(bytes);
        if bytes < SHORT_BYTES {
            return Some(());
        }
        // Values grow by doubling, and move meanwhile.
        let charged = self.held.borrow_mut().resize(bytes.saturating_mul(3));
        charged.map_err(|refused| self.stop = Some(refused.into())).ok()
    }
    fn expand(&mut self, text: Option<&[u8]>) -> Option<Vec<u8>> {
        let text = text?;
        self.hold(text.len())?;
        Some(text.to_vec())
    }
}

impl Names for Instance<'_> {
    fn constant(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        if self.stop.is_some() {
            return None;
        }
        let found = match self.cx.engine().constant(self.cx, name) {
            Ok(Some(value)) => self.cx.to_string(value.deref()).map(Some),
            Ok(None) => Ok(None),
            Err(stop) => Err(stop),
        };
        match found {
            Ok(text) => self.expand(text.as_deref()),
            Err(stop) => {
                self.stop = Some(stop);
                None
            }
        }
    }
    fn variable(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        if self.stop.is_some() {
            return None;
        }
        let value = match self.cx.ini.given(name) {
            Some(value) => Some(PStr::new(value)),
            None => environment_variable(self.cx, name),
        };
        self.expand(value.as_deref())
    }
    fn read(&mut self, bytes: usize) -> bool {
        // A statement is more work than its bytes.
        self.read += bytes + 16;
        if self.read >= UNITS {
            self.read = 0;
            self.stop = self.stop.or(self.cx.check().err());
        }
        self.stop.is_none()
    }
    fn append(&mut self, to: &mut Vec<u8>, bytes: &[u8]) -> bool {
        if self.stop.is_some() || self.hold(bytes.len()).is_none() {
            return false;
        }
        to.extend_from_slice(bytes);
        true
    }
}

fn value_of(scalar: Scalar) -> Value {
    match scalar {
        Scalar::Null => Value::null(),
        Scalar::Bool(b) => Value::from(b),
        Scalar::Int(n) => Value::from(n),
        Scalar::Float(f) => Value::from(f),
        Scalar::Str(text) => Value::from(PStr::new(&text)),
    }
}

/// Puts a statement into the array of its section.
fn enter(array: &mut PArray, item: Item) {
    match item {
        Item::Entry { name, value: Some(value) } => array.set(Key::from_bytes(&name), value_of(value)),
        Item::Entry { value: None, .. } | Item::Section(_) => {}
        Item::Element { name, offset, value } => {
            let name = Key::from_bytes(&name);
            // Anything else of that name makes place for an array.
            let mut list = take_array(array, &name).unwrap_or_default();
            if offset.is_empty() {
                list.append(value_of(value));
            } else {
                list.set(Key::from_bytes(&offset), value_of(value));
            }
            array.set(name, Value::from(list));
        }
    }
}

/// Takes an array out of another one, to change it without a copy; its place stays.
fn take_array(array: &mut PArray, key: &Key) -> Option<PArray> {
    array.get(key)?.as_array()?;
    array.with_slot(key, Value::take).as_array().cloned()
}

fn parse(cx: &mut Cx, text: &[u8], file: &[u8], sections: bool, mode: i64) -> Res<OrFalse<PArray>> {
    // The mode is an int of C.
    let mode = match mode as i32 {
        0 => Mode::Normal,
        1 => Mode::Raw,
        2 => Mode::Typed,
        _ => {
            cx.raise(Level::Warning, b"Invalid scanner mode")?;
            return Ok(OrFalse::FALSE);
        }
    };
    let mut array = PArray::new();
    let mut section: Option<(Key, PArray)> = None;
    let (held, held_bytes) = (RefCell::new(HeapCharge::none()), Cell::new(0));
    let mut names = Instance { cx, stop: None, held: &held, held_bytes: &held_bytes, read: 0 };
    let mut put = |item| match (item, &mut section) {
        (Item::Section(name), section) if sections => {
            if let Some((name, content)) = section.take() {
                array.set(name, Value::from(content));
            }
            // A section that is opened again starts afresh, where it was.
            let name = Key::from_bytes(&name);
            array.set(name.clone(), Value::empty_array());
            *section = Some((name, PArray::new()));
        }
        (item, Some((_, content))) => enter(content, item),
        (item, None) => enter(&mut array, item),
    };
    let result = ini::parse(text, mode, &mut names, &mut |item| {
        put(item);
        // It is in the array now.
        *held.borrow_mut() = HeapCharge::none();
        held_bytes.set(0);
    });
    if let Some((name, content)) = section {
        array.set(name, Value::from(content));
    }
    if let Some(stop) = names.stop {
        return Err(stop);
    }
    match result {
        Ok(()) => Ok(OrFalse(Some(array))),
        Err(error) => {
            let line = error.line.to_string();
            cx.raise(Level::Warning, [error.message.as_bytes(), b" in ", file, b" on line ", line.as_bytes(), b"\n"])?;
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn parse_ini_string(cx: &mut Cx, text: &PStr, sections: bool, mode: i64) -> Res<OrFalse<PArray>> {
    parse(cx, text.as_bytes(), b"Unknown", sections, mode)
}

pub fn parse_ini_file(cx: &mut Cx, filename: &PStr, sections: bool, mode: i64) -> Res<OrFalse<PArray>> {
    if filename.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    if filename.as_bytes().contains(&0) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    let options = OpenOptions { quiet: false, use_include_path: true, context: None, for_include: false };
    let Some(resource) = stream::open(cx, filename.as_bytes(), b"rb", &options)? else { return Ok(OrFalse::FALSE) };
    let Some(handle) = resource.native::<StreamHandle>() else { return Ok(OrFalse::FALSE) };
    let text = handle.read_source(cx)?;
    handle.close(cx)?;
    drop(handle);
    resource.close();
    let Some(text) = text else { return Ok(OrFalse::FALSE) };
    parse(cx, text.as_bytes(), filename.as_bytes(), sections, mode)
}
