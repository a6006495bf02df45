//! serialize and unserialize.
//!
//! Both keep PHP's numbering: every value that is written or read gets the next number, arrays' keys do not; `r:n` names an object, `R:n` a
//! reference. `__serialize`/`__unserialize`, `__sleep`/`__wakeup` and Serializable are called as PHP does; `__wakeup` and `__unserialize` run
//! after everything is read, in order.

use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassPtr, Cx, Key, KeyRef, Level, PArray, PObject, PRef, PStr, Res, Value, View, class_flags, member_flags};
use jumbo_value::number;
use std::collections::HashMap;

// ---- serialize

struct Writer {
    out: Vec<u8>,
    next: usize,
    /// Objects and references by address: their numbers.
    seen: HashMap<usize, usize>,
    /// Keeps what was seen alive, so that addresses stay unique.
    held: Vec<Value>,
}

pub fn serialize(cx: &mut Cx, value: &Value) -> Res<PStr> {
    let mut writer = Writer { out: Vec::new(), next: 1, seen: HashMap::new(), held: Vec::new() };
    writer.value(cx, value)?;
    Ok(PStr::new(&writer.out))
}

impl Writer {
    fn value(&mut self, cx: &mut Cx, value: &Value) -> Res<()> {
        if let Some(r) = value.as_ref() {
            let shared = r.ref_count() > 1;
            if shared {
                let address = r.as_ptr() as usize;
                if let Some(&n) = self.seen.get(&address) {
                    self.out.extend_from_slice(format!("R:{n};").as_bytes());
                    return Ok(());
                }
                // A referenced object is known under its own address too.
                if let Some(o) = value.deref().as_object()
                    && let Some(&n) = self.seen.get(&(o.as_ptr() as usize))
                {
                    self.out.extend_from_slice(format!("R:{n};").as_bytes());
                    return Ok(());
                }
                self.seen.insert(address, self.next);
                self.held.push(value.clone());
            }
        }
        if let Some(o) = value.deref().as_object() {
            let address = o.as_ptr() as usize;
            if let Some(&n) = self.seen.get(&address) {
                self.out.extend_from_slice(format!("r:{n};").as_bytes());
                self.next += 1;
                return Ok(());
            }
            self.seen.insert(address, self.next);
            self.held.push(Value::from(o.clone()));
        }
        self.next += 1;
        match value.view_deref() {
            View::Undef | View::Null | View::Ref(_) => self.out.extend_from_slice(b"N;"),
            View::Bool(b) => self.out.extend_from_slice(if b { b"b:1;" } else { b"b:0;" }),
            View::Int(i) => self.out.extend_from_slice(format!("i:{i};").as_bytes()),
            View::Float(f) => {
                self.out.extend_from_slice(b"d:");
                number::write_float(&mut self.out, f, cx.serialize_precision);
                self.out.push(b';');
            }
            View::Str(s) => self.string(s.as_bytes()),
            View::Array(a) => {
                let a = a.clone();
                self.out.extend_from_slice(format!("a:{}:{{", a.len()).as_bytes());
                self.elements(cx, &a)?;
                self.out.push(b'}');
            }
            View::Resource(_) => self.out.extend_from_slice(b"i:0;"),
            View::Object(o) => {
                let o = o.clone();
                self.object(cx, &o)?;
            }
        }
        Ok(())
    }

    fn string(&mut self, s: &[u8]) {
        self.out.extend_from_slice(format!("s:{}:\"", s.len()).as_bytes());
        self.out.extend_from_slice(s);
        self.out.extend_from_slice(b"\";");
    }

    fn key(&mut self, key: KeyRef<'_>) {
        match key {
            KeyRef::Int(i) => self.out.extend_from_slice(format!("i:{i};").as_bytes()),
            KeyRef::Str(s) => self.string(s.as_bytes()),
        }
    }

    fn elements(&mut self, cx: &mut Cx, a: &PArray) -> Res<()> {
        for (k, v) in a {
            self.key(k);
            self.value(cx, v)?;
        }
        Ok(())
    }

    fn head(&mut self, letter: char, name: &[u8]) {
        self.out.extend_from_slice(format!("{letter}:{}:\"", name.len()).as_bytes());
        self.out.extend_from_slice(name);
        self.out.extend_from_slice(b"\":");
    }

    fn object(&mut self, cx: &mut Cx, o: &PObject) -> Res<()> {
        let class = ClassPtr::of(o);
        if class.is_enum() {
            let case = o.slot(0);
            let text = [class.name.as_bytes(), b":", case.as_bytes().unwrap_or(b"")].concat();
            self.out.extend_from_slice(format!("E:{}:\"", text.len()).as_bytes());
            self.out.extend_from_slice(&text);
            self.out.extend_from_slice(b"\";");
            return Ok(());
        }
        if class.is(class_flags::NOT_SERIALIZABLE | class_flags::ANONYMOUS) {
            let name = class.name.as_bytes();
            let shown = name.split(|&b| b == 0).next().unwrap_or(name);
            let text = [b"Serialization of '".as_slice(), shown, b"' is not allowed"].concat();
            return Err(cx.throw("Exception", text));
        }
        if let Some(method) = class.magic.serialize {
            let data = cx.call_function(method, Some(o), Some(class), &[])?;
            let Some(data) = data.as_array().cloned() else {
                return Err(cx.type_error([class.name.as_bytes(), b"::__serialize() must return an array"].concat()));
            };
            self.head('O', class.name.as_bytes());
            self.out.extend_from_slice(format!("{}:{{", data.len()).as_bytes());
            self.elements(cx, &data)?;
            self.out.push(b'}');
            self.held.push(Value::from(data));
            return Ok(());
        }
        let serializable = cx.builtin_class(b"serializable");
        if class.is_a(serializable) {
            let data = cx.call_method(o, b"serialize", &[])?;
            match data.view_deref() {
                View::Str(s) => {
                    self.head('C', class.name.as_bytes());
                    self.out.extend_from_slice(format!("{}:{{", s.len()).as_bytes());
                    self.out.extend_from_slice(s.as_bytes());
                    self.out.push(b'}');
                }
                View::Null => self.out.extend_from_slice(b"N;"),
                _ => return Err(cx.throw("Exception", [class.name.as_bytes(), b"::serialize() must return a string or NULL"].concat())),
            }
            return Ok(());
        }
        if class.method(b"__sleep").is_some() {
            return self.slept(cx, o, class);
        }
        let table = cx.properties(o, Purpose::Serialize)?;
        self.head('O', class.name.as_bytes());
        self.out.extend_from_slice(format!("{}:{{", table.len()).as_bytes());
        self.elements(cx, &table)?;
        self.out.push(b'}');
        self.held.push(Value::from(table));
        Ok(())
    }

    /// `__sleep` names the properties to write.
    fn slept(&mut self, cx: &mut Cx, o: &PObject, class: ClassPtr) -> Res<()> {
        let names = cx.call_method(o, b"__sleep", &[])?;
        let Some(names) = names.as_array().cloned() else {
            let text = [class.name.as_bytes(), b"::__sleep() should return an array only containing the names of instance-variables to serialize"].concat();
            cx.raise(Level::Notice, &text)?;
            self.out.extend_from_slice(b"N;");
            return Ok(());
        };
        let table = cx.properties(o, Purpose::Serialize)?;
        let mut chosen = PArray::new();
        for name in names.values() {
            let name = match name.view_deref() {
                View::Str(s) => s.clone(),
                _ => {
                    let text = [class.name.as_bytes(), b"::__sleep() should return an array only containing the names of instance-variables to serialize"].concat();
                    cx.raise(Level::Notice, &text)?;
                    cx.to_string(name.deref())?
                }
            };
            let private = PStr::concat(&[b"\0", class.name.as_bytes(), b"\0", name.as_bytes()]);
            let protected = PStr::concat(&[b"\0*\0", name.as_bytes()]);
            let found = [&name, &private, &protected].into_iter().find_map(|k| table.get_sym(k.as_bytes()).map(|v| (k.clone(), v.clone())));
            match found {
                Some((k, v)) => chosen.set(Key::from_str(&k), v),
                None => {
                    let uninitialized = class.properties.get(name.as_bytes()).is_some_and(|p| p.ty.is_some());
                    if uninitialized {
                        let text = [b"Typed property ".as_slice(), class.name.as_bytes(), b"::$", name.as_bytes(), b" must not be accessed before initialization (in __sleep)"].concat();
                        return Err(cx.throw_error(text));
                    }
                    let text = [b"serialize(): \"".as_slice(), name.as_bytes(), b"\" returned as member variable from __sleep() but does not exist"].concat();
                    cx.raise(Level::Warning, &text)?;
                }
            }
        }
        self.head('O', class.name.as_bytes());
        self.out.extend_from_slice(format!("{}:{{", chosen.len()).as_bytes());
        self.elements(cx, &chosen)?;
        self.out.push(b'}');
        self.held.push(Value::from(chosen));
        Ok(())
    }
}

// ---- unserialize

enum Allowed {
    All,
    Some(Vec<Vec<u8>>),
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    /// Values by number (from 1): each in a reference once something refers to it.
    values: Vec<Slot>,
    allowed: Allowed,
    max_depth: usize,
    depth: usize,
    /// `__wakeup` and `__unserialize` to call, in order.
    delayed: Vec<(PObject, Option<PArray>)>,
}

/// Where a numbered value lives.
#[derive(Clone)]
enum Slot {
    Value(Value),
    /// Element of an array under construction or property of an object: found again through its reference.
    Ref(PRef),
}

/// Malformed at this offset, or PHP's own error.
enum Fail {
    At(usize),
    Stop(jumbo_abi::Stop),
}

impl From<jumbo_abi::Stop> for Fail {
    fn from(stop: jumbo_abi::Stop) -> Fail {
        Fail::Stop(stop)
    }
}

type Read<T> = Result<T, Fail>;

pub fn unserialize(cx: &mut Cx, data: &PStr, options: &PArray) -> Res<Value> {
    let allowed = match options.get_bytes(b"allowed_classes").map(Value::copy_deref) {
        None => Allowed::All,
        Some(v) => match v.view() {
            View::Bool(true) => Allowed::All,
            View::Bool(false) => Allowed::Some(Vec::new()),
            View::Array(a) => {
                let mut names = Vec::new();
                for name in a.values() {
                    names.push(cx.to_string(name.deref())?.as_bytes().to_ascii_lowercase());
                }
                Allowed::Some(names)
            }
            _ => return Err(cx.type_error("unserialize(): Option \"allowed_classes\" must be of type array|bool, ".to_owned() + &String::from_utf8_lossy(&jumbo_abi::args::type_name(&v)) + " given")),
        },
    };
    let max_depth = match options.get_bytes(b"max_depth").map(Value::copy_deref) {
        None => cx.ini.int("unserialize_max_depth"),
        Some(v) => match v.as_int() {
            Some(n) if n < 0 => return Err(cx.value_error("unserialize(): Option \"max_depth\" must be greater than or equal to 0")),
            Some(n) => n,
            None => return Err(cx.type_error("unserialize(): Option \"max_depth\" must be of type int, ".to_owned() + &String::from_utf8_lossy(&jumbo_abi::args::type_name(&v)) + " given")),
        },
    };
    let max_depth = if max_depth <= 0 { 4096 } else { (max_depth as usize).min(10_000) };
    let text = data.clone();
    let mut reader = Reader { text: text.as_bytes(), at: 0, values: Vec::new(), allowed, max_depth, depth: 0, delayed: Vec::new() };
    let result = reader.value(cx, true);
    let (at, delayed) = (reader.at, std::mem::take(&mut reader.delayed));
    match result {
        Ok(value) => {
            wake(cx, delayed)?;
            if at < text.len() {
                cx.warning(format!("Extra data starting at offset {at} of {} bytes", text.len()))?;
            }
            Ok(value.into_deref())
        }
        Err(Fail::Stop(stop)) => {
            for (o, _) in delayed {
                o.mark_destructed();
            }
            Err(stop)
        }
        Err(Fail::At(at)) => {
            // Objects that were not woken must not run their destructors.
            for (o, _) in delayed {
                o.mark_destructed();
            }
            cx.raise(Level::Warning, format!("unserialize(): Error at offset {at} of {} bytes", text.len()).as_bytes())?;
            Ok(Value::from(false))
        }
    }
}

fn wake(cx: &mut Cx, delayed: Vec<(PObject, Option<PArray>)>) -> Res<()> {
    let mut failed = None;
    for (object, data) in delayed {
        if failed.is_some() {
            object.mark_destructed();
            continue;
        }
        let class = ClassPtr::of(&object);
        let result = match (data, class.magic.unserialize) {
            (Some(data), Some(method)) => cx.call_function(method, Some(&object), Some(class), &[Value::from(data)]).map(drop),
            _ => cx.call_method(&object, b"__wakeup", &[]).map(drop),
        };
        if let Err(stop) = result {
            object.mark_destructed();
            failed = Some(stop);
        }
    }
    failed.map_or(Ok(()), Err)
}

impl Reader<'_> {
    fn fail<T>(&self) -> Read<T> {
        Err(Fail::At(self.at.min(self.text.len())))
    }
    fn expect(&mut self, b: u8) -> Read<()> {
        if self.text.get(self.at) == Some(&b) {
            self.at += 1;
            return Ok(());
        }
        self.fail()
    }
    /// Digits (with sign) up to `end`, which is eaten.
    fn int(&mut self, end: u8) -> Read<i64> {
        let start = self.at;
        let n = self.text[start..].iter().position(|&b| b == end).map_or(0, |n| n);
        let digits = &self.text[start..start + n];
        let plain = digits.strip_prefix(b"-").or(digits.strip_prefix(b"+")).unwrap_or(digits);
        if plain.is_empty() || !plain.iter().all(u8::is_ascii_digit) {
            return self.fail();
        }
        self.at = start + n + 1;
        Ok(number::str_to_int(digits))
    }
    fn length(&mut self) -> Read<usize> {
        let start = self.at;
        let n = self.int(b':')?;
        match usize::try_from(n) {
            Ok(n) if n <= self.text.len() => Ok(n),
            _ => {
                self.at = start;
                self.fail()
            }
        }
    }
    /// `len:"bytes"`.
    fn quoted(&mut self) -> Read<Vec<u8>> {
        let start = self.at;
        let len = self.length()?;
        let ok = self.text.get(self.at) == Some(&b'"') && self.text.get(self.at + 1 + len) == Some(&b'"');
        if !ok {
            self.at = start;
            return self.fail();
        }
        let bytes = self.text[self.at + 1..self.at + 1 + len].to_vec();
        self.at += len + 2;
        Ok(bytes)
    }

    /// Reads a value. `numbered`: it gets a number.
    fn value(&mut self, cx: &mut Cx, numbered: bool) -> Read<Value> {
        let start = self.at;
        let kind = *self.text.get(self.at).ok_or(Fail::At(self.at))?;
        let colon = self.text.get(self.at + 1).copied();
        if kind == b'N' {
            if colon != Some(b';') {
                return self.fail();
            }
            self.at += 2;
            return Ok(self.number(Value::null(), numbered));
        }
        if colon != Some(b':') {
            return self.fail();
        }
        self.at += 2;
        let result = self.typed(cx, kind, start, numbered);
        if let Err(Fail::At(_)) = &result
            && !matches!(kind, b'a' | b'O' | b'C')
        {
            // Scalars report where they start.
            return Err(Fail::At(start));
        }
        result
    }

    fn number(&mut self, value: Value, numbered: bool) -> Value {
        if numbered {
            self.values.push(Slot::Value(value.clone()));
        }
        value
    }

    fn typed(&mut self, cx: &mut Cx, kind: u8, start: usize, numbered: bool) -> Read<Value> {
        match kind {
            b'b' => {
                let b = match self.text.get(self.at) {
                    Some(b'0') => false,
                    Some(b'1') => true,
                    _ => return self.fail(),
                };
                self.at += 1;
                self.expect(b';')?;
                Ok(self.number(Value::from(b), numbered))
            }
            b'i' => {
                let n = self.int(b';')?;
                Ok(self.number(Value::from(n), numbered))
            }
            b'd' => {
                let end = self.text[self.at..].iter().position(|&b| b == b';').ok_or(Fail::At(start))?;
                let text = &self.text[self.at..self.at + end];
                let f = match text {
                    b"INF" => f64::INFINITY,
                    b"-INF" => f64::NEG_INFINITY,
                    b"NAN" => f64::NAN,
                    _ => match number::parse_numeric(text) {
                        Some(n) if !text.first().is_some_and(u8::is_ascii_whitespace) => n.to_f64(),
                        _ => return self.fail(),
                    },
                };
                self.at += end + 1;
                Ok(self.number(Value::from(f), numbered))
            }
            b's' => {
                let bytes = self.quoted()?;
                self.expect(b';')?;
                Ok(self.number(Value::from(PStr::new(&bytes)), numbered))
            }
            b'r' | b'R' => self.back_reference(kind, start, numbered),
            b'a' => self.array(cx, start, numbered),
            b'O' => self.object(cx, start, numbered),
            b'E' => self.enum_case(cx, start, numbered),
            b'C' => self.custom(cx, start, numbered),
            _ => {
                self.at = start;
                self.fail()
            }
        }
    }

    fn back_reference(&mut self, kind: u8, start: usize, numbered: bool) -> Read<Value> {
        let n = self.int(b';')?;
        let Some(index) = usize::try_from(n).ok().and_then(|n| n.checked_sub(1)).filter(|n| *n < self.values.len()) else {
            self.at = start;
            return self.fail();
        };
        match self.values[index].clone() {
            Slot::Ref(r) => {
                if kind == b'R' {
                    return Ok(Value::from(r));
                }
                let value = r.get();
                Ok(self.number(value, numbered))
            }
            Slot::Value(v) => {
                if kind == b'r' {
                    return Ok(self.number(v, numbered));
                }
                // Objects are shared by identity; other values would have been wrapped when they were stored.
                Ok(v)
            }
        }
    }

    /// Reads an element and stores it behind a reference when a later `R:` may name it; returns what goes into the container.
    fn element(&mut self, cx: &mut Cx) -> Read<Value> {
        let index = self.values.len();
        let value = self.value(cx, true)?;
        if self.values.len() > index
            && value.as_ref().is_none()
            && self.names_reference(index + 1)
        {
            let r = PRef::new(value);
            self.values[index] = Slot::Ref(r.clone());
            return Ok(Value::from(r));
        }
        Ok(value)
    }

    /// Does `R:n;` occur in the text? Only then the value must live in a reference.
    fn names_reference(&self, n: usize) -> bool {
        let needle = format!("R:{n};");
        let rest = &self.text[self.at.min(self.text.len())..];
        rest.len() >= needle.len() && rest.windows(needle.len()).any(|w| w == needle.as_bytes())
    }

    fn enter(&mut self, cx: &mut Cx) -> Read<()> {
        self.depth += 1;
        if self.depth > self.max_depth {
            let text = format!("Maximum depth of {} exceeded. The depth limit can be changed using the max_depth unserialize() option or the unserialize_max_depth ini setting", self.max_depth);
            cx.warning(text)?;
            return self.fail();
        }
        Ok(())
    }

    fn key(&mut self, cx: &mut Cx) -> Read<Key> {
        match self.text.get(self.at) {
            Some(b'i' | b's') => {
                let value = self.value(cx, false)?;
                match value.view() {
                    View::Int(i) => Ok(Key::Int(i)),
                    View::Str(s) => Ok(Key::from_str(s)),
                    _ => self.fail(),
                }
            }
            _ => self.fail(),
        }
    }

    fn array(&mut self, cx: &mut Cx, start: usize, numbered: bool) -> Read<Value> {
        let count = match self.length() {
            Ok(n) => n,
            Err(_) => return Err(Fail::At(start)),
        };
        if self.text.get(self.at) != Some(&b'{') {
            return Err(Fail::At(start));
        }
        self.at += 1;
        self.enter(cx)?;
        let index = self.values.len();
        if numbered {
            self.values.push(Slot::Value(Value::null()));
        }
        let mut array = PArray::new();
        for _ in 0..count {
            let key = self.key(cx)?;
            let value = self.element(cx)?;
            array.set(key, value);
        }
        self.depth -= 1;
        self.expect(b'}')?;
        let value = Value::from(array);
        if numbered {
            self.values[index] = Slot::Value(value.clone());
        }
        Ok(value)
    }

    fn is_allowed(&self, name: &[u8]) -> bool {
        match &self.allowed {
            Allowed::All => true,
            Allowed::Some(names) => names.contains(&name.to_ascii_lowercase()),
        }
    }

    fn class(&mut self, cx: &mut Cx, name: &[u8]) -> Read<(ClassPtr, bool)> {
        if self.is_allowed(name)
            && let Some(class) = cx.find_class(name, true)?
        {
            return Ok((class, false));
        }
        Ok((cx.builtin_class(b"__php_incomplete_class"), true))
    }

    fn object(&mut self, cx: &mut Cx, start: usize, numbered: bool) -> Read<Value> {
        let Ok(name) = self.quoted() else { return Err(Fail::At(start)) };
        self.expect(b':')?;
        let Ok(count) = self.length() else { return Err(Fail::At(start)) };
        self.expect(b'{')?;
        let (class, incomplete) = self.class(cx, &name)?;
        if class.is_enum() {
            let text = [b"Unserialization of '".as_slice(), class.name.as_bytes(), b"' is not allowed"].concat();
            return Err(cx.throw("Exception", text).into());
        }
        if class.is(class_flags::NOT_SERIALIZABLE | class_flags::ABSTRACT | class_flags::INTERFACE | class_flags::TRAIT) {
            let text = [b"Unserialization of '".as_slice(), class.name.as_bytes(), b"' is not allowed"].concat();
            return Err(cx.throw("Exception", text).into());
        }
        self.enter(cx)?;
        let object = cx.new_object(class)?;
        let value = Value::from(object.clone());
        if numbered {
            self.values.push(Slot::Value(value.clone()));
        }
        if incomplete {
            object.update_dynamic(|t| t.set_bytes(b"__PHP_Incomplete_Class_Name", PStr::new(&name)));
        }
        if class.magic.unserialize.is_some() {
            let mut data = PArray::new();
            for _ in 0..count {
                let key = self.key(cx)?;
                let v = self.element(cx)?;
                data.set(key, v);
            }
            self.depth -= 1;
            self.expect(b'}')?;
            self.delayed.push((object, Some(data)));
            return Ok(value);
        }
        // The object is woken even when something behind it is malformed: then its destructor must not run, which the caller sees to.
        let wakes = class.method(b"__wakeup").is_some();
        if wakes {
            self.delayed.push((object.clone(), None));
        }
        for _ in 0..count {
            let key = self.key(cx)?;
            let v = self.element(cx)?;
            set_property(cx, &object, class, &key, v)?;
        }
        self.depth -= 1;
        self.expect(b'}')?;
        Ok(value)
    }

    fn enum_case(&mut self, cx: &mut Cx, start: usize, numbered: bool) -> Read<Value> {
        let Ok(text) = self.quoted() else { return Err(Fail::At(start)) };
        self.expect(b';')?;
        let Some(colon) = text.iter().position(|&b| b == b':') else { return Err(Fail::At(start)) };
        let (name, case) = (&text[..colon], &text[colon + 1..]);
        if !self.is_allowed(name) {
            return Err(Fail::At(start));
        }
        let Some(class) = cx.find_class(name, true)? else {
            cx.warning([b"Class '".as_slice(), name, b"' not found"].concat())?;
            return Err(Fail::At(start));
        };
        if !class.is_enum() {
            cx.warning([b"Class '".as_slice(), name, b"' is not an enum"].concat())?;
            return Err(Fail::At(start));
        }
        let is_case = class.constants.get(case).is_some_and(|c| c.flags & member_flags::ENUM_CASE != 0);
        if !is_case {
            let text = if class.constants.contains_key(case) {
                [name, b"::", case, b" is not an enum case"].concat()
            } else {
                [b"Undefined constant ".as_slice(), name, b"::", case].concat()
            };
            cx.warning(text)?;
            return Err(Fail::At(start));
        }
        match cx.engine().class_constant(cx, class, case)? {
            Some(v) => Ok(self.number(v, numbered)),
            None => Err(Fail::At(start)),
        }
    }

    /// `C:`: Serializable::unserialize gets the text.
    fn custom(&mut self, cx: &mut Cx, start: usize, numbered: bool) -> Read<Value> {
        let Ok(name) = self.quoted() else { return Err(Fail::At(start)) };
        self.expect(b':')?;
        let Ok(len) = self.length() else { return Err(Fail::At(start)) };
        self.expect(b'{')?;
        let Some(data) = self.text.get(self.at..self.at + len).map(<[u8]>::to_vec) else { return Err(Fail::At(start)) };
        let (class, _) = self.class(cx, &name)?;
        if !class.is_a(cx.builtin_class(b"serializable")) {
            cx.warning([b"Class ".as_slice(), &name, b" has no unserializer"].concat())?;
            return Err(Fail::At(start));
        }
        self.at += len;
        self.expect(b'}')?;
        let object = cx.new_object(class)?;
        let value = self.number(Value::from(object.clone()), numbered);
        cx.call_method(&object, b"unserialize", &[Value::from(PStr::new(&data))])?;
        Ok(value)
    }
}

/// Puts a property read from the text into an object: by its mangled name, whatever the visibility is now.
fn set_property(cx: &mut Cx, object: &PObject, class: ClassPtr, key: &Key, value: Value) -> Read<()> {
    let Key::Str(mangled) = key else {
        object.update_dynamic(|t| t.set(key.clone(), value));
        return Ok(());
    };
    let (name, owner) = jumbo_abi::class::unmangle(mangled.as_bytes());
    let declared = match owner {
        Some(c) if c != b"*" && !c.eq_ignore_ascii_case(class.name.as_bytes()) => class
            .slots
            .iter()
            .position(|s| s.name.as_bytes() == name && s.flags & member_flags::PRIVATE != 0 && s.class.name.as_bytes() == c)
            .map(|n| n as u32),
        _ => class.properties.get(name).filter(|p| !p.is_virtual()).map(|p| p.slot),
    };
    match declared {
        Some(slot) => {
            let info = &class.slots[slot as usize];
            if let Some(ty) = &info.ty {
                let mut plain = value.copy_deref();
                if !cx.engine().coerce(cx, &mut plain, ty, Some(info.class), true)? {
                    let text = [
                        b"Cannot assign ".as_slice(),
                        &jumbo_abi::args::type_name(&plain),
                        b" to property ",
                        class.name.as_bytes(),
                        b"::$",
                        name,
                        b" of type ",
                        &ty.display(),
                    ]
                    .concat();
                    return Err(cx.type_error(text).into());
                }
            }
            object.set_slot(slot, value);
        }
        None => {
            if !class.is(class_flags::ALLOW_DYNAMIC) && class.lower.as_bytes() != b"__php_incomplete_class" && class.lower.as_bytes() != b"stdclass" {
                let text = [b"Creation of dynamic property ".as_slice(), class.name.as_bytes(), b"::$", name, b" is deprecated"].concat();
                cx.raise(Level::Deprecated, &text)?;
            }
            object.update_dynamic(|t| t.set(Key::from_bytes(name), value));
        }
    }
    Ok(())
}
