//! parse_ini_string, parse_ini_file.

use crate::settings::environment_variable;
use jumbo_abi::stream::{self, OpenOptions, StreamHandle};
use jumbo_abi::{Cx, Key, Level, OrFalse, PArray, PStr, Res, Stop, Value};
use jumbo_value::HeapCharge;
use std::cell::{Cell, RefCell};
use jumbo_syntax::ini::{self, Item, Mode, Names, Scalar};

/// Constants, settings and the environment of the instance. What looking at a constant raises ends the call afterwards.
struct Instance<'a> {
    cx: &'a mut Cx,
    stop: Option<Stop>,
    /// What names stand for, since the last statement: the text may have many in one value.
    expanded: &'a RefCell<HeapCharge>,
    expanded_bytes: &'a Cell<usize>,
}

impl Instance<'_> {
    fn expand(&mut self, text: Option<&[u8]>) -> Option<Vec<u8>> {
        let text = text?;
        let bytes = self.expanded_bytes.get() + text.len();
        // The value that it becomes a part of grows by doubling.
        if let Err(refused) = self.expanded.borrow_mut().resize(bytes.saturating_mul(3)) {
            self.stop = Some(refused.into());
            return None;
        }
        self.expanded_bytes.set(bytes);
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
            Some(value) => Some(value.to_vec()),
            None => environment_variable(self.cx, name),
        };
        self.expand(value.as_deref())
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
    let (expanded, expanded_bytes) = (RefCell::new(HeapCharge::none()), Cell::new(0));
    let mut names = Instance { cx, stop: None, expanded: &expanded, expanded_bytes: &expanded_bytes };
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
        *expanded.borrow_mut() = HeapCharge::none();
        expanded_bytes.set(0);
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
            let place = format!(" on line {}\n", error.line);
            cx.raise(Level::Warning, [error.message.as_bytes(), b" in ", file, place.as_bytes()])?;
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
