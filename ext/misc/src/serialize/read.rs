//! unserialize.
//!
//! # Invariants
//! - Every value but `R:` gets the next number, keys do not. A value that an `R:` of the text may name lives in a reference from the
//!   beginning (which numbers occur is looked up once, before); so nothing points into containers that are being built.
//! - Where reading fails is a part of what PHP shows: `at` moves as far as stock's reader has looked, no further.
//! - `__unserialize` and `__wakeup` run after everything is read, inner objects first, even when the text behind them is malformed.
//!   An object whose reading failed, or whose predecessor threw, is not destructed.

use super::{INCOMPLETE_CLASS, INCOMPLETE_NAME};
use jumbo_abi::class::{mangle, unmangle};
use jumbo_abi::{ClassPtr, Cx, Key, Level, PArray, PObject, PRef, PStr, Res, Stop, Value, View, class_flags, member_flags};
use jumbo_value::number;
use std::cell::RefCell;
use jumbo_value::{HeapVec, OutOfMemory, PStrBuilder};
use std::rc::Rc;

#[derive(Clone)]
enum Allowed {
    All,
    Some(Rc<HeapVec<PStr>>),
}

/// `__wakeup` (no data) and `__unserialize` to call, in order.
type Delayed = HeapVec<(PObject, Option<PArray>)>;

/// What nested calls share.
struct Shared {
    slots: HeapVec<Slot>,
    /// Numbers that occur in an `R:` of the outermost text, in order.
    referenced: HeapVec<usize>,
    depth: usize,
    delayed: Delayed,
}

/// A numbered value.
enum Slot {
    /// Neither an object nor ever referred to.
    Plain,
    Object(PObject),
    Ref(PRef),
}

/// The numbering that a nested call continues: only while `Serializable::unserialize` runs.
#[derive(Default)]
struct Nested(Option<Rc<RefCell<Shared>>>);

/// Malformed, at the reader's place; or PHP's own error.
enum Fail {
    Malformed,
    Stop(Stop),
}

impl From<Stop> for Fail {
    fn from(stop: Stop) -> Fail {
        Fail::Stop(stop)
    }
}

impl From<OutOfMemory> for Fail {
    fn from(refused: OutOfMemory) -> Fail {
        Fail::Stop(refused.into())
    }
}

type Read<T> = Result<T, Fail>;

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    shared: Rc<RefCell<Shared>>,
    allowed: Allowed,
    /// 0: no limit but the native stack's.
    max_depth: usize,
}

/// The numbers of all `R:n;` that the text may contain; those inside of strings do no harm.
fn referenced(text: &[u8]) -> Result<HeapVec<usize>, OutOfMemory> {
    let mut found = HeapVec::new();
    for at in memchr::memmem::find_iter(text, b"R:") {
        let digits = &text[at + 2..];
        let count = digits.iter().take_while(|b| b.is_ascii_digit()).count();
        if let Some(n) = std::str::from_utf8(&digits[..count]).ok().and_then(|d| d.parse().ok()) {
            found.push(n)?;
        }
    }
    found.sort_unstable();
    Ok(found)
}

fn option_error(cx: &mut Cx, name: &str, wanted: &str, given: &Value) -> Stop {
    let given = jumbo_abi::args::type_name(given);
    cx.type_error([b"unserialize(): Option \"".as_slice(), name.as_bytes(), b"\" must be ", wanted.as_bytes(), b", ", &given, b" given"])
}

fn is_class_name(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'\\' | 0x7f..))
}

/// The option `allowed_classes`.
fn allowed_classes(cx: &mut Cx, options: &PArray) -> Res<Allowed> {
    let Some(value) = options.get_bytes(b"allowed_classes").map(Value::copy_deref) else { return Ok(Allowed::All) };
    match value.view() {
        View::Bool(true) => Ok(Allowed::All),
        View::Bool(false) => Ok(Allowed::Some(Rc::new(HeapVec::new()))),
        View::Array(list) => {
            let mut names = HeapVec::with_capacity(list.len())?;
            for name in list.values() {
                let name = name.deref();
                let is_text = match name.view() {
                    View::Str(_) | View::Object(_) => true,
                    _ => false,
                };
                if !is_text {
                    return Err(option_error(cx, "allowed_classes", "an array of class names", name));
                }
                let text = cx.to_string(name)?;
                if !text.is_empty() && !is_class_name(text.as_bytes()) {
                    let head = b"unserialize(): Option \"allowed_classes\" must be an array of class names, \"".as_slice();
                    // A NUL ends what is shown.
                    let shown = text.as_bytes().split(|byte| *byte == 0).next().unwrap_or_default();
                    return Err(cx.value_error([head, shown, b"\" given"]));
                }
                names.push(PStr::mapped(&text, |byte| byte.to_ascii_lowercase()))?;
            }
            Ok(Allowed::Some(Rc::new(names)))
        }
        _ => Err(option_error(cx, "allowed_classes", "of type array|bool", &value)),
    }
}

/// The option `max_depth`, or the setting.
fn max_depth(cx: &mut Cx, options: &PArray) -> Res<usize> {
    let depth = match options.get_bytes(b"max_depth").map(Value::copy_deref) {
        None => cx.ini.int("unserialize_max_depth"),
        Some(value) => match value.as_int() {
            Some(n) if n < 0 => {
                return Err(cx.value_error("unserialize(): Option \"max_depth\" must be greater than or equal to 0"));
            }
            Some(n) => n,
            None => return Err(option_error(cx, "max_depth", "of type int", &value)),
        },
    };
    Ok(usize::try_from(depth).unwrap_or(0))
}

pub fn unserialize(cx: &mut Cx, data: &PStr, options: &PArray) -> Res<Value> {
    let allowed = allowed_classes(cx, options)?;
    let max_depth = max_depth(cx, options)?;
    if data.is_empty() {
        return Ok(Value::from(false));
    }
    let text = data.clone();
    let outer = cx.state::<Nested>().0.clone();
    let mut reader = Reader::new(text.as_bytes())?;
    (reader.allowed, reader.max_depth) = (allowed, max_depth);
    let is_nested = outer.is_some();
    if let Some(outer) = outer {
        reader.shared = outer;
    }
    let result = reader.element(cx);
    let at = reader.at.min(text.len());
    let result = match result {
        Ok(value) if at < text.len() => {
            cx.warning(format_args!("Extra data starting at offset {at} of {} bytes", text.len())).map(|()| value)
        }
        Ok(value) => Ok(value),
        Err(Fail::Stop(stop)) => Err(stop),
        Err(Fail::Malformed) => {
            cx.warning(format_args!("Error at offset {at} of {} bytes", text.len())).map(|()| Value::from(false))
        }
    };
    if is_nested {
        // The outermost call wakes the objects.
        return result.map(Value::into_deref);
    }
    let delayed = std::mem::take(&mut reader.shared.borrow_mut().delayed);
    match result {
        Ok(value) => {
            wake(cx, delayed)?;
            Ok(value.into_deref())
        }
        Err(stop) => {
            for (object, _) in delayed {
                object.mark_destructed();
            }
            Err(stop)
        }
    }
}

/// Calls what was put off. After the first exception nothing is called any more, and the objects are not destructed.
fn wake(cx: &mut Cx, delayed: Delayed) -> Res<()> {
    let mut failed = None;
    for (object, data) in delayed {
        if failed.is_some() {
            object.mark_destructed();
            continue;
        }
        let class = ClassPtr::of(&object);
        let result = anew(cx, None, |cx| match (data, class.magic.unserialize) {
            (Some(data), Some(method)) => cx.call_function(method, Some(&object), Some(class), &[Value::from(data)]).map(drop),
            _ => cx.call_method(&object, b"__wakeup", &[]).map(drop),
        });
        if let Err(stop) = result {
            object.mark_destructed();
            failed = Some(stop);
        }
    }
    failed.map_or(Ok(()), Err)
}

/// Runs PHP code whose own calls of unserialize() continue `shared`, or begin anew.
fn anew<R>(cx: &mut Cx, shared: Option<Rc<RefCell<Shared>>>, run: impl FnOnce(&mut Cx) -> Res<R>) -> Res<R> {
    let before = std::mem::replace(&mut cx.state::<Nested>().0, shared);
    let result = run(cx);
    cx.state::<Nested>().0 = before;
    result
}

/// Values that stand one after the other in a text, with common numbering: what the session formats are made of.
pub struct Unserializer<'a> {
    reader: Reader<'a>,
    /// Inside of a `Serializable::unserialize` that unserialize() runs: the objects are woken out there.
    is_nested: bool,
}

impl<'a> Unserializer<'a> {
    pub fn new(text: &'a [u8]) -> Res<Unserializer<'a>> {
        Ok(Unserializer { reader: Reader::new(text)?, is_nested: false })
    }
    /// For a `Serializable::unserialize`: within unserialize() the numbering of the values goes on.
    pub fn nested(cx: &mut Cx, text: &'a [u8]) -> Res<Unserializer<'a>> {
        let mut reader = Reader::new(text)?;
        let outer = cx.state::<Nested>().0.clone();
        let is_nested = outer.is_some();
        if let Some(outer) = outer {
            reader.shared = outer;
        }
        Ok(Unserializer { reader, is_nested })
    }
    pub fn at(&self) -> usize {
        self.reader.at
    }
    pub fn set_at(&mut self, at: usize) {
        self.reader.at = at;
    }
    /// The value that starts here, in a reference when a later one refers to it. None: malformed.
    pub fn value(&mut self, cx: &mut Cx) -> Res<Option<Value>> {
        match self.reader.element(cx) {
            Ok(value) => Ok(Some(value)),
            Err(Fail::Malformed) => Ok(None),
            Err(Fail::Stop(stop)) => Err(stop),
        }
    }
    /// Everything is read: `__unserialize` and `__wakeup` of the objects, in order.
    pub fn finish(self, cx: &mut Cx) -> Res<()> {
        if self.is_nested {
            return Ok(());
        }
        let delayed = std::mem::take(&mut self.reader.shared.borrow_mut().delayed);
        wake(cx, delayed)
    }
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8]) -> Result<Reader<'a>, OutOfMemory> {
        let shared = Shared { slots: HeapVec::new(), referenced: referenced(text)?, depth: 0, delayed: HeapVec::new() };
        Ok(Reader { text, at: 0, shared: Rc::new(RefCell::new(shared)), allowed: Allowed::All, max_depth: 4096 })
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    /// Fails at a place.
    fn fail_at<T>(&mut self, at: usize) -> Read<T> {
        self.at = at;
        Err(Fail::Malformed)
    }

    /// Decimal digits from `at`, with a sign if `signed`, and the place behind them. None: there are none.
    fn digits(&self, at: usize, signed: bool) -> Option<(&'a [u8], usize)> {
        let start = at + usize::from(signed && matches!(self.byte(at), Some(b'+' | b'-')));
        let count = self.text.get(start..)?.iter().take_while(|b| b.is_ascii_digit()).count();
        (count > 0).then(|| (&self.text[at..start + count], start + count))
    }

    /// A number that is followed by `end`: it, and the place behind that. Beyond 64 bits it is the nearest one, with a warning.
    fn number(&self, cx: &mut Cx, at: usize, signed: bool, end: &[u8]) -> Read<Option<(i64, usize)>> {
        let Some((digits, behind)) = self.digits(at, signed) else { return Ok(None) };
        if !self.text[behind..].starts_with(end) {
            return Ok(None);
        }
        let text = std::str::from_utf8(digits).unwrap_or_default();
        let value = match text.parse::<i64>() {
            Ok(n) => n,
            Err(_) => {
                cx.warning("Numerical result out of range")?;
                if !signed {
                    return Err(Fail::Malformed);
                }
                if text.starts_with('-') { i64::MIN } else { i64::MAX }
            }
        };
        Ok(Some((value, behind + end.len())))
    }

    /// Gives a value the next number. `start`: `R:` elements have none.
    fn take_number(&mut self, value: Value) -> Result<Value, OutOfMemory> {
        let mut shared = self.shared.borrow_mut();
        let n = shared.slots.len() + 1;
        if !shared.referenced.is_empty() && shared.referenced.binary_search(&n).is_ok() {
            let reference = PRef::new(value);
            shared.slots.push(Slot::Ref(reference.clone()))?;
            return Ok(Value::from(reference));
        }
        let slot = value.as_object().map_or(Slot::Plain, |o| Slot::Object(o.clone()));
        shared.slots.push(slot)?;
        Ok(value)
    }

    /// Reads a value with a number: what goes into its container, a reference if it is referred to.
    fn element(&mut self, cx: &mut Cx) -> Read<Value> {
        let start = self.at;
        let Some(kind) = self.byte(start) else { return self.fail_at(start) };
        if self.byte(start + 1) == Some(b':') {
            match kind {
                b'R' | b'r' => return self.back_reference(cx, kind),
                b'a' => return self.array(cx),
                b'O' | b'C' => return self.object(cx, kind == b'C'),
                b'E' => {
                    let value = self.enum_case(cx)?;
                    return Ok(self.take_number(value)?);
                }
                _ => {}
            }
        }
        if kind == b'}' {
            cx.warning("Unexpected end of serialized data")?;
            return self.fail_at(start);
        }
        let value = self.scalar(cx, kind)?;
        Ok(self.take_number(value)?)
    }

    /// Null, booleans, numbers and strings.
    fn scalar(&mut self, cx: &mut Cx, kind: u8) -> Read<Value> {
        let start = self.at;
        let rest = &self.text[start..];
        match kind {
            b'N' if rest.starts_with(b"N;") => {
                self.at += 2;
                Ok(Value::null())
            }
            b'b' if rest.starts_with(b"b:0;") || rest.starts_with(b"b:1;") => {
                self.at += 4;
                Ok(Value::from(rest[2] == b'1'))
            }
            b'i' if rest.starts_with(b"i:") => match self.number(cx, start + 2, true, b";")? {
                Some((n, behind)) => {
                    self.at = behind;
                    Ok(Value::from(n))
                }
                None => self.fail_at(start),
            },
            b'd' if rest.starts_with(b"d:") => match float(&rest[2..]) {
                Some((f, length)) => {
                    self.at = start + 2 + length;
                    Ok(Value::from(f))
                }
                None => self.fail_at(start),
            },
            b's' | b'S' if rest.get(1) == Some(&b':') => self.string(cx, kind == b'S'),
            _ => self.fail_at(start),
        }
    }

    fn string(&mut self, cx: &mut Cx, escaped: bool) -> Read<Value> {
        let start = self.at;
        let Some((length, content)) = self.number(cx, start + 2, false, b":\"")? else { return self.fail_at(start) };
        let length = length as usize;
        let (text, end) = if escaped {
            match unescape(&self.text[content..], length)? {
                Some((text, used)) => (text, content + used),
                None => return self.fail_at(start + 2),
            }
        } else {
            let Some(bytes) = self.text.get(content..content.saturating_add(length)) else { return self.fail_at(start + 2) };
            (PStr::new(bytes), content + length)
        };
        if self.byte(end) != Some(b'"') {
            return self.fail_at(end);
        }
        if self.byte(end + 1) != Some(b';') {
            return self.fail_at(end + 1);
        }
        self.at = end + 2;
        if escaped {
            cx.deprecated("Unserializing the 'S' format is deprecated")?;
        }
        Ok(Value::from(text))
    }

    fn back_reference(&mut self, cx: &mut Cx, kind: u8) -> Read<Value> {
        let start = self.at;
        let Some((n, behind)) = self.number(cx, start + 2, false, b";")? else { return self.fail_at(start) };
        self.at = behind;
        let found = {
            let shared = self.shared.borrow();
            match usize::try_from(n).ok().and_then(|n| shared.slots.get(n.checked_sub(1)?)) {
                Some(Slot::Ref(r)) => Value::from(r.clone()),
                Some(Slot::Object(o)) => Value::from(o.clone()),
                Some(Slot::Plain) | None => return Err(Fail::Malformed),
            }
        };
        if kind == b'R' {
            // Of an object that is not in a reference `R:` makes no difference to `r:`, but for the number.
            return Ok(found);
        }
        let value = found.into_deref();
        if !value.is_object() {
            return Err(Fail::Malformed);
        }
        Ok(self.take_number(value)?)
    }

    fn enter(&mut self, cx: &mut Cx) -> Read<()> {
        cx.check_stack()?;
        let depth = self.shared.borrow().depth;
        if self.max_depth > 0 && depth >= self.max_depth {
            let limit = self.max_depth;
            cx.warning(format_args!(
                "Maximum depth of {limit} exceeded. The depth limit can be changed using the max_depth unserialize() option \
                 or the unserialize_max_depth ini setting"
            ))?;
            return Err(Fail::Malformed);
        }
        self.shared.borrow_mut().depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.shared.borrow_mut().depth -= 1;
    }

    /// A key: an integer or a string. `None`: malformed as a key though well-formed as a value.
    fn key(&mut self, cx: &mut Cx) -> Read<Value> {
        let start = self.at;
        let Some(kind) = self.byte(start) else { return self.fail_at(start) };
        if kind == b'}' {
            cx.warning("Unexpected end of serialized data")?;
            return self.fail_at(start);
        }
        if matches!(kind, b'a' | b'R' | b'r') {
            // These are looked at before it is clear that they cannot be keys.
            let end: &[u8] = if kind == b'a' { b":{" } else { b";" };
            if self.byte(start + 1) == Some(b':')
                && let Some((_, behind)) = self.number(cx, start + 2, false, end)?
            {
                return self.fail_at(behind);
            }
            return self.fail_at(start);
        }
        let value = self.scalar(cx, kind)?;
        if value.is_int() || value.is_string() { Ok(value) } else { Err(Fail::Malformed) }
    }

    /// Behind an element that is not the last one must be the end of a value.
    fn check_end(&mut self, left: usize) -> Read<()> {
        if left > 0 && !matches!(self.at.checked_sub(1).and_then(|at| self.byte(at)), Some(b';' | b'}')) {
            self.at -= 1;
            return Err(Fail::Malformed);
        }
        Ok(())
    }

    fn closing_brace(&mut self) -> Read<()> {
        if self.byte(self.at) != Some(b'}') {
            return Err(Fail::Malformed);
        }
        self.at += 1;
        Ok(())
    }

    /// More elements than the rest of the text could hold.
    fn is_fake_count(&self, count: i64) -> bool {
        count < 0 || count as u64 > (self.text.len().saturating_sub(self.at)) as u64
    }

    fn elements(&mut self, cx: &mut Cx, count: i64) -> Read<PArray> {
        let mut array = PArray::new();
        self.enter(cx)?;
        for left in (0..count as usize).rev() {
            let key = match self.key(cx)?.view() {
                View::Int(i) => Key::Int(i),
                View::Str(s) => Key::from_str(s),
                _ => return Err(Fail::Malformed),
            };
            let value = self.element(cx)?;
            array.set(key, value);
            self.check_end(left)?;
        }
        self.leave();
        array.mark_hashed();
        Ok(array)
    }

    fn array(&mut self, cx: &mut Cx) -> Read<Value> {
        let start = self.at;
        let Some((count, behind)) = self.number(cx, start + 2, false, b":{")? else { return self.fail_at(start) };
        self.at = behind;
        if self.is_fake_count(count) {
            return Err(Fail::Malformed);
        }
        // The number comes before those of the elements, which may refer to the array.
        let slot = self.take_number(Value::null())?;
        let array = if count == 0 { PArray::new() } else { self.elements(cx, count)? };
        self.closing_brace()?;
        match slot.as_ref() {
            Some(reference) => {
                reference.set(Value::from(array));
                Ok(slot)
            }
            None => Ok(Value::from(array)),
        }
    }

    fn is_allowed(&self, name: &[u8]) -> bool {
        match &self.allowed {
            Allowed::All => true,
            Allowed::Some(names) => names.iter().any(|allowed| allowed.eq_ignore_ascii_case(name)),
        }
    }

    /// The class of a name, and whether the incomplete class stands for it.
    fn class(&mut self, cx: &mut Cx, name: &[u8]) -> Read<(ClassPtr, bool)> {
        let incomplete = cx.builtin_class(INCOMPLETE_CLASS);
        if !self.is_allowed(name) {
            return Ok((incomplete, true));
        }
        if let Some(class) = anew(cx, None, |cx| cx.find_class(name, true))? {
            return Ok((class, false));
        }
        let callback = PStr::new(cx.ini.str("unserialize_callback_func"));
        if callback.is_empty() {
            return Ok((incomplete, true));
        }
        let callable = Value::from(&callback);
        match cx.resolve_callable(&callable)? {
            Ok(callable) => anew(cx, None, |cx| cx.call(&callable, &[Value::from(PStr::new(name))]))?,
            Err(why) => {
                return Err(cx.throw_error([b"Invalid callback ".as_slice(), &callback, b", ", &why]).into());
            }
        };
        if let Some(class) = anew(cx, None, |cx| cx.find_class(name, true))? {
            return Ok((class, false));
        }
        cx.warning([b"Function ".as_slice(), &callback, b"() hasn't defined the class it was called for"])?;
        Ok((incomplete, true))
    }

    /// `len:"name":` behind the letter: the name; `at` is then on the closing quote.
    fn class_name(&mut self, cx: &mut Cx) -> Read<&'a [u8]> {
        let start = self.at;
        let Some((length, content)) = self.number(cx, start + 2, false, b":\"")? else { return self.fail_at(start) };
        let name = self.text.get(content..content.saturating_add(length as usize)).filter(|n| !n.is_empty());
        let Some(name) = name else { return self.fail_at(start + 2) };
        let end = content + name.len();
        if self.byte(end) != Some(b'"') {
            return self.fail_at(end);
        }
        if self.byte(end + 1) != Some(b':') {
            return self.fail_at(end + 1);
        }
        let valid = name.iter().take_while(|b| is_class_name(&[**b])).count();
        // Names of anonymous classes begin with a NUL byte.
        if valid != name.len() && name[0] != 0 {
            return self.fail_at(content + valid);
        }
        self.at = end;
        Ok(name)
    }

    fn object(&mut self, cx: &mut Cx, custom: bool) -> Read<Value> {
        let name = self.class_name(cx)?;
        let (class, incomplete) = self.class(cx, name)?;
        if class.is_enum() {
            if custom {
                cx.raise(Level::Warning, [b"Class ".as_slice(), class.name.as_bytes(), b" has no unserializer"])?;
            }
            return Err(cx.throw_error([b"Cannot instantiate enum ".as_slice(), class.name.as_bytes()]).into());
        }
        if class.is(class_flags::NOT_SERIALIZABLE) {
            let text = [b"Unserialization of '".as_slice(), class.name.as_bytes(), b"' is not allowed"];
            return Err(cx.throw("Exception", text).into());
        }
        if custom {
            return self.custom(cx, class, incomplete, name);
        }
        if self.at + 2 >= self.text.len() {
            cx.raise(Level::Warning, b"Bad unserialize data")?;
            return Err(Fail::Malformed);
        }
        let Some((digits, behind)) = self.digits(self.at + 2, true) else {
            self.at += 2;
            return Err(Fail::Malformed);
        };
        let count = number::str_to_int(digits);
        self.at = behind;
        if self.is_fake_count(count) || self.byte(behind) != Some(b':') {
            return Err(Fail::Malformed);
        }
        if self.byte(behind + 1) != Some(b'{') {
            return self.fail_at(behind + 1);
        }
        self.at = behind + 2;
        let unserializes = !incomplete && class.magic.unserialize.is_some();
        if !unserializes && class.is_a(cx.builtin_class(b"serializable")) {
            let text = [b"Erroneous data format for unserializing '".as_slice(), class.name.as_bytes(), b"'"];
            cx.raise(Level::Warning, &text)?;
            return Err(Fail::Malformed);
        }
        let object = self.instance(cx, class)?;
        if incomplete {
            object.update_dynamic(|t| t.set_bytes(INCOMPLETE_NAME, PStr::new(name)));
        }
        let value = self.take_number(Value::from(object.clone()))?;
        if unserializes {
            match self.elements(cx, count) {
                Ok(data) => self.shared.borrow_mut().delayed.push((object, Some(data)))?,
                Err(fail) => {
                    object.mark_destructed();
                    return Err(fail);
                }
            }
            self.closing_brace()?;
            return Ok(value);
        }
        let wakes = !incomplete && class.method(b"__wakeup").is_some();
        if let Err(fail) = self.properties(cx, &object, class, count) {
            if wakes {
                object.mark_destructed();
            }
            return Err(fail);
        }
        if wakes {
            self.shared.borrow_mut().delayed.push((object, None))?;
        }
        self.closing_brace()?;
        Ok(value)
    }

    fn instance(&mut self, cx: &mut Cx, class: ClassPtr) -> Read<PObject> {
        if class.is(class_flags::ABSTRACT | class_flags::INTERFACE | class_flags::TRAIT) {
            let kind: &[u8] = if class.is(class_flags::INTERFACE) {
                b"interface "
            } else if class.is(class_flags::TRAIT) {
                b"trait "
            } else {
                b"abstract class "
            };
            return Err(cx.throw_error([b"Cannot instantiate ".as_slice(), kind, class.name.as_bytes()]).into());
        }
        Ok(cx.new_object(class)?)
    }

    fn properties(&mut self, cx: &mut Cx, object: &PObject, class: ClassPtr, count: i64) -> Read<()> {
        self.enter(cx)?;
        for left in (0..count as usize).rev() {
            let name = match self.key(cx)?.view() {
                View::Str(s) => s.clone(),
                View::Int(i) => PStr::new(i.to_string().as_bytes()),
                _ => return Err(Fail::Malformed),
            };
            let place = find_place(cx, object, class, &name)?;
            let value = self.element(cx)?;
            store(cx, object, class, place, value)?;
            self.check_end(left)?;
        }
        self.leave();
        Ok(())
    }

    fn enum_case(&mut self, cx: &mut Cx) -> Read<Value> {
        let start = self.at;
        let Some((length, content)) = self.number(cx, start + 2, false, b":\"")? else { return self.fail_at(start) };
        let text = self.text.get(content..content.saturating_add(length as usize)).filter(|t| !t.is_empty());
        let Some(text) = text else { return self.fail_at(start + 2) };
        let end = content + text.len();
        if self.byte(end) != Some(b'"') {
            return self.fail_at(end);
        }
        if self.byte(end + 1) != Some(b';') {
            return self.fail_at(end + 1);
        }
        let Some(colon) = text.iter().position(|&b| b == b':') else {
            cx.warning([b"Invalid enum name '".as_slice(), text, b"' (missing colon)"])?;
            return Err(Fail::Malformed);
        };
        let (name, case) = (&text[..colon], &text[colon + 1..]);
        if !self.is_allowed(name) {
            return Err(Fail::Malformed);
        }
        let Some(class) = anew(cx, None, |cx| cx.find_class(name, true))? else {
            cx.warning([b"Class '".as_slice(), name, b"' not found"])?;
            return Err(Fail::Malformed);
        };
        if !class.is_enum() {
            cx.warning([b"Class '".as_slice(), class.name.as_bytes(), b"' is not an enum"])?;
            return Err(Fail::Malformed);
        }
        self.at = end + 2;
        match class.constants.get(case) {
            Some(c) if c.flags & member_flags::ENUM_CASE != 0 => {}
            Some(_) => {
                cx.warning([class.name.as_bytes(), b"::", case, b" is not an enum case"])?;
                return Err(Fail::Malformed);
            }
            None => {
                cx.warning([b"Undefined constant ".as_slice(), class.name.as_bytes(), b"::", case])?;
                return Err(Fail::Malformed);
            }
        }
        match cx.engine().class_constant(cx, class, case)? {
            Some(value) => Ok(value),
            None => Err(Fail::Malformed),
        }
    }

    /// `C:`: Serializable::unserialize gets the text. `at` is on the quote behind the name.
    fn custom(&mut self, cx: &mut Cx, class: ClassPtr, incomplete: bool, name: &[u8]) -> Read<Value> {
        let Some((digits, behind)) = self.digits(self.at + 2, true) else {
            self.at += 2;
            return Err(Fail::Malformed);
        };
        let length = number::str_to_int(digits);
        self.at = behind;
        if self.byte(behind) != Some(b':') {
            return Err(Fail::Malformed);
        }
        if self.byte(behind + 1) != Some(b'{') {
            return self.fail_at(behind + 1);
        }
        self.at = behind + 2;
        let present = self.text.len().saturating_sub(self.at);
        let Some(length) = usize::try_from(length).ok().filter(|n| *n < present) else {
            cx.raise(Level::Warning, format_args!("Insufficient data for unserializing - {length} required, {present} present"))?;
            return Err(Fail::Malformed);
        };
        if self.byte(self.at + length) != Some(b'}') {
            return self.fail_at(self.at + length);
        }
        let data = PStr::new(&self.text[self.at..self.at + length]);
        let object = self.instance(cx, class)?;
        let value = self.take_number(Value::from(object.clone()))?;
        if incomplete {
            object.update_dynamic(|t| t.set_bytes(INCOMPLETE_NAME, PStr::new(name)));
        }
        if class.is_a(cx.builtin_class(b"serializable")) {
            let shared = self.shared.clone();
            anew(cx, Some(shared), |cx| cx.call_method(&object, b"unserialize", &[Value::from(data)]))?;
        } else {
            let text = [b"Class ".as_slice(), class.name.as_bytes(), b" has no unserializer"];
            cx.raise(Level::Warning, &text)?;
        }
        self.at += length + 1;
        Ok(value)
    }
}

/// A float up to `;`, and the length with it.
fn float(text: &[u8]) -> Option<(f64, usize)> {
    let end = memchr::memchr(b';', text)?;
    let body = &text[..end];
    let value = match body {
        b"INF" => f64::INFINITY,
        b"-INF" => f64::NEG_INFINITY,
        b"NAN" => f64::NAN,
        _ => {
            if !body.iter().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E')) {
                return None;
            }
            number::parse_numeric(body)?;
            // Not by way of an integer, which has no -0.
            number::parse_float(body)
        }
    };
    Some((value, end + 1))
}

/// `length` bytes of which `\` and two hexadecimal digits are one; with the length in the text.
fn unescape(text: &[u8], length: usize) -> Result<Option<(PStr, usize)>, OutOfMemory> {
    let mut out = PStrBuilder::new();
    let mut at = 0;
    while out.len() < length {
        let Some(&byte) = text.get(at) else { return Ok(None) };
        at += 1;
        if byte != b'\\' {
            out.push(byte)?;
            continue;
        }
        let digit = |at: usize| text.get(at).and_then(|b| (*b as char).to_digit(16));
        let (Some(high), Some(low)) = (digit(at), digit(at + 1)) else { return Ok(None) };
        out.push((high << 4 | low) as u8)?;
        at += 2;
    }
    Ok(Some((out.finish(), at)))
}

/// Where a property of the text goes.
enum Place {
    Slot(u32),
    /// A dynamic property under this key, mangled or not.
    Dynamic(PStr),
}

/// By the exact mangled name first; then by the plain one, when the visibility has changed since.
fn find_place(cx: &mut Cx, object: &PObject, class: ClassPtr, key: &PStr) -> Read<Place> {
    let (name, owner) = unmangle(key.as_bytes());
    let declared = class.properties.get(name);
    if let Some(p) = declared
        && !p.is_virtual()
        && p.mangled() == *key
    {
        return Ok(Place::Slot(p.slot));
    }
    // Private properties of parents.
    if owner.is_some_and(|o| o != b"*") {
        let own = class.slots.iter().position(|s| s.name.as_bytes() == name && mangle(s.flags, s.class, &s.name) == *key);
        if let Some(at) = own {
            return Ok(Place::Slot(at as u32));
        }
    }
    let is_of_class = owner.is_none_or(|o| o == b"*" || o.eq_ignore_ascii_case(class.name.as_bytes()));
    if let Some(p) = declared.filter(|p| is_of_class && p.flags & member_flags::STATIC == 0) {
        if p.is_virtual() {
            let text = [b"Cannot unserialize value for virtual property ".as_slice(), class.name.as_bytes(), b"::$", name];
            cx.warning(text)?;
            return Err(Fail::Malformed);
        }
        return Ok(Place::Slot(p.slot));
    }
    let exists = object.dynamic().is_some_and(|t| t.get_sym(key.as_bytes()).is_some());
    if !exists && !class.is(class_flags::ALLOW_DYNAMIC) && !matches!(class.lower.as_bytes(), b"stdclass" | INCOMPLETE_CLASS) {
        if class.is(class_flags::NO_DYNAMIC) {
            let text = [b"Cannot create dynamic property ".as_slice(), class.name.as_bytes(), b"::$", name];
            return Err(cx.throw_error(text).into());
        }
        let text = [b"Creation of dynamic property ".as_slice(), class.name.as_bytes(), b"::$", name, b" is deprecated"];
        cx.raise(Level::Deprecated, &text)?;
    }
    Ok(Place::Dynamic(key.clone()))
}

/// Puts a value there; a typed property takes what fits as it is.
fn store(cx: &mut Cx, object: &PObject, class: ClassPtr, place: Place, value: Value) -> Read<()> {
    let slot = match place {
        Place::Dynamic(key) => {
            object.update_dynamic(|t| t.set(Key::from_str(&key), value));
            return Ok(());
        }
        Place::Slot(slot) => slot,
    };
    let Some(info) = class.slots.get(slot as usize) else { return Err(Fail::Malformed) };
    if let Some(ty) = &info.ty {
        let mut plain = value.copy_deref();
        if !cx.engine().coerce(cx, &mut plain, ty, Some(info.class), true)? {
            let given = jumbo_abi::args::type_name(&plain);
            let (class, name) = (class.name.as_bytes(), info.name.as_bytes());
            let text = [b"Cannot assign ".as_slice(), &given, b" to property ", class, b"::$", name, b" of type ", &ty.display()];
            return Err(cx.type_error(text).into());
        }
        // An int in a float property became a float.
        match value.as_ref() {
            Some(reference) => reference.set(plain),
            None => {
                object.set_slot(slot, plain);
                return Ok(());
            }
        }
    }
    object.set_slot(slot, value);
    Ok(())
}
