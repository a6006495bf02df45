//! serialize; unserialize is in [`read`].
//!
//! Both keep PHP's numbering: every value that is written or read gets the next number, arrays' keys do not; `r:n` names an object,
//! `R:n` a reference. `Serializable::serialize` and `::unserialize` may call these functions again: then the numbering goes on.

mod read;

pub use read::{Unserializer, unserialize};

use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassPtr, Cx, Key, KeyRef, PArray, PObject, PStr, Res, Value, View, class_flags};
use jumbo_value::hash::WordMap;
use jumbo_value::{HeapCharge, HeapVec, OutOfMemory, PStrBuilder, convert, number};
use std::cell::RefCell;
use std::rc::Rc;

/// Lower-cased name of the class that stands for classes that are not known.
const INCOMPLETE_CLASS: &[u8] = b"__php_incomplete_class";
/// The property in which its objects keep the name of the class that they are of.
pub const INCOMPLETE_NAME: &[u8] = b"__PHP_Incomplete_Class_Name";

// ---- serialize

/// What was written so far, by address.
#[derive(Default)]
struct Seen {
    /// Number of the last value.
    last: usize,
    numbers: WordMap<usize, Number>,
    /// For the memory of `numbers`.
    charges: HeapVec<HeapCharge>,
    /// Keeps what was seen alive, so that addresses stay unique.
    held: HeapVec<Value>,
}

impl Seen {
    fn set_number(&mut self, address: usize, number: Number) -> Result<(), OutOfMemory> {
        if self.numbers.len() == self.numbers.capacity() {
            // It doubles; of its places an eighth stays free, and each has a byte beside it.
            let more = self.numbers.capacity().max(4);
            self.charges.push(HeapCharge::new(more * (size_of::<(usize, Number)>() + 1) * 8 / 7)?)?;
        }
        self.numbers.insert(address, number);
        Ok(())
    }
}

/// What a value is written in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    /// Nothing: it is what serialize() was given.
    Root,
    /// The array that was given, or one in it that nobody else has: PHP takes it for written once, and an object that only it has is not
    /// remembered.
    Own,
    /// The declared properties of an object, which the table at hand has as well; PHP takes them as `Own`.
    Declared,
    Shared,
}

impl Around {
    /// So many counts has what nothing else knows.
    fn owners(self) -> i32 {
        match self {
            Around::Root | Around::Shared => 0,
            Around::Own => 1,
            Around::Declared => 2,
        }
    }
}

/// Does the class say what is written of its objects?
fn says_itself(class: ClassPtr) -> bool {
    class.magic.serialize.is_some() || class.method(b"__sleep").is_some() || class.method(b"serialize").is_some()
}

#[derive(Clone, Copy)]
enum Number {
    At(usize),
    /// An object that could not be written: null wherever it occurs.
    Failed,
}

/// The numbering that a nested call continues: only while `Serializable::serialize` runs.
#[derive(Default)]
struct Nested(Option<Rc<RefCell<Seen>>>);

struct Writer {
    out: PStrBuilder,
    seen: Rc<RefCell<Seen>>,
}

impl Default for Writer {
    fn default() -> Writer {
        Writer { out: PStrBuilder::new(), seen: Rc::new(RefCell::new(Seen::default())) }
    }
}

pub fn serialize(cx: &mut Cx, value: &Value) -> Res<PStr> {
    let mut writer = Writer::default();
    if let Some(outer) = &cx.state::<Nested>().0 {
        writer.seen = outer.clone();
    }
    writer.value(cx, value, Around::Root)?;
    Ok(writer.out.finish())
}

/// Runs PHP code whose own calls of serialize() continue `seen`, or begin anew.
fn calling<R>(cx: &mut Cx, seen: Option<&Rc<RefCell<Seen>>>, run: impl FnOnce(&mut Cx) -> Res<R>) -> Res<R> {
    let before = std::mem::replace(&mut cx.state::<Nested>().0, seen.cloned());
    let result = run(cx);
    cx.state::<Nested>().0 = before;
    result
}

impl Writer {
    /// The number of a value that was written before.
    fn number(&mut self, value: &Value, around: Around) -> Result<Option<(Number, bool)>, OutOfMemory> {
        let seen = &mut *self.seen.borrow_mut();
        seen.last += 1;
        let reference = value.as_ref().filter(|r| r.ref_count() > 1);
        let object = value.deref().as_object();
        // A referenced object is known under its own address.
        let address = match (object, reference) {
            (Some(o), _) => o.as_ptr() as usize,
            (None, Some(r)) => r.as_ptr() as usize,
            (None, None) => return Ok(None),
        };
        if let Some(&number) = seen.numbers.get(&address) {
            // A reference is no value of its own.
            if reference.is_some() && matches!(number, Number::At(_)) {
                seen.last -= 1;
            }
            return Ok(Some((number, reference.is_some())));
        }
        // (An array may share its table with the object that it was made of.)
        let has_own_table = |o: &PObject| o.dynamic().is_none_or(|table| table.ref_count() <= 2);
        if reference.is_none() && object.is_some_and(|o| o.ref_count() <= around.owners() && has_own_table(o) && !says_itself(ClassPtr::of(o))) {
            return Ok(None);
        }
        seen.set_number(address, Number::At(seen.last))?;
        seen.held.push(match object {
            Some(o) => Value::from(o.clone()),
            None => value.clone(),
        })?;
        Ok(None)
    }

    fn hold(&self, value: impl Into<Value>) -> Result<(), OutOfMemory> {
        self.seen.borrow_mut().held.push(value.into())
    }

    /// An object that has no serialized form.
    fn failed(&mut self, o: &PObject) -> Result<(), OutOfMemory> {
        self.seen.borrow_mut().set_number(o.as_ptr() as usize, Number::Failed)?;
        self.out.extend(b"N;")
    }

    fn value(&mut self, cx: &mut Cx, value: &Value, around: Around) -> Res<()> {
        match self.number(value, around)? {
            None => {}
            Some((Number::Failed, _)) => {
                self.out.extend(b"N;")?;
                return Ok(());
            }
            Some((Number::At(n), is_reference)) => {
                let letter = if is_reference { 'R' } else { 'r' };
                write!(self.out, "{letter}:{n};")?;
                return Ok(());
            }
        }
        match value.view_deref() {
            View::Undef | View::Null | View::Ref(_) => self.out.extend(b"N;")?,
            View::Bool(b) => self.out.extend(if b { b"b:1;" } else { b"b:0;" })?,
            View::Int(i) => self.int(i)?,
            View::Float(f) => {
                self.out.extend(b"d:")?;
                self.out.extend(&number::float_to_string(f, cx.serialize_precision))?;
                self.out.push(b';')?;
            }
            View::Str(s) => self.string(s.as_bytes())?,
            View::Array(a) => {
                let is_shared = around != Around::Root && a.ref_count() > around.owners();
                let a = a.clone();
                cx.check_stack()?;
                self.out.extend(b"a:")?;
                self.out.push_int(a.len() as i64)?;
                self.out.extend(b":{")?;
                self.elements(cx, &a, if is_shared { Around::Shared } else { Around::Own })?;
                self.out.push(b'}')?;
            }
            View::Resource(_) => self.out.extend(b"i:0;")?,
            View::Object(o) => {
                let o = o.clone();
                cx.check_stack()?;
                self.object(cx, &o)?;
            }
        }
        Ok(())
    }

    fn int(&mut self, i: i64) -> Result<(), OutOfMemory> {
        self.out.extend(b"i:")?;
        self.out.push_int(i)?;
        self.out.push(b';')
    }

    fn string(&mut self, s: &[u8]) -> Result<(), OutOfMemory> {
        self.out.extend(b"s:")?;
        self.out.push_int(s.len() as i64)?;
        self.out.extend(b":\"")?;
        self.out.extend(s)?;
        self.out.extend(b"\";")
    }

    fn key(&mut self, key: KeyRef<'_>) -> Result<(), OutOfMemory> {
        match key {
            KeyRef::Int(i) => self.int(i),
            KeyRef::Str(s) => self.string(s.as_bytes()),
        }
    }

    fn elements(&mut self, cx: &mut Cx, a: &PArray, around: Around) -> Res<()> {
        for (k, v) in a {
            self.key(k)?;
            self.value(cx, v, around)?;
        }
        Ok(())
    }

    /// The properties of an object, whose names are strings always.
    fn properties(&mut self, cx: &mut Cx, table: &PArray, skip: Option<&[u8]>, around: Around) -> Res<()> {
        for (k, v) in table {
            match k {
                KeyRef::Str(s) if skip == Some(s.as_bytes()) => continue,
                KeyRef::Str(s) => self.string(s.as_bytes())?,
                KeyRef::Int(i) => self.string(convert::write_int(&mut [0; 20], i))?,
            }
            self.value(cx, v, around)?;
        }
        Ok(())
    }

    fn head(&mut self, letter: char, name: &[u8]) -> Result<(), OutOfMemory> {
        write!(self.out, "{letter}:{}:\"", name.len())?;
        self.out.extend(name)?;
        self.out.extend(b"\":")
    }

    fn object(&mut self, cx: &mut Cx, o: &PObject) -> Res<()> {
        let class = ClassPtr::of(o);
        if class.is_enum() {
            let case = o.slot(0);
            let text = PStr::concat(&[class.name.as_bytes(), b":", case.as_bytes().unwrap_or(b"")]);
            write!(self.out, "E:{}:\"", text.len())?;
            self.out.extend(&text)?;
            self.out.extend(b"\";")?;
            return Ok(());
        }
        if class.is(class_flags::NOT_SERIALIZABLE | class_flags::ANONYMOUS) {
            let name = class.name.as_bytes();
            let shown = jumbo_value::string::up_to_nul(name);
            let text = [b"Serialization of '".as_slice(), shown, b"' is not allowed"];
            return Err(cx.throw("Exception", text));
        }
        if let Some(method) = class.magic.serialize {
            let data = calling(cx, None, |cx| cx.call_function(method, Some(o), Some(class), &[]))?;
            let Some(data) = data.as_array().cloned() else {
                return Err(cx.type_error([class.name.as_bytes(), b"::__serialize() must return an array"]));
            };
            self.head('O', class.name.as_bytes())?;
            write!(self.out, "{}:{{", data.len())?;
            self.elements(cx, &data, Around::Shared)?;
            self.out.push(b'}')?;
            self.hold(data)?;
            return Ok(());
        }
        let serializable = cx.builtin_class(b"serializable");
        if class.is_a(serializable) {
            let seen = self.seen.clone();
            let data = calling(cx, Some(&seen), |cx| cx.call_method(o, b"serialize", &[]))?;
            match data.view_deref() {
                View::Str(s) => {
                    self.head('C', class.name.as_bytes())?;
                    write!(self.out, "{}:{{", s.len())?;
                    self.out.extend(s.as_bytes())?;
                    self.out.push(b'}')?;
                }
                View::Null => self.failed(o)?,
                _ => return Err(cx.throw("Exception", [class.name.as_bytes(), b"::serialize() must return a string or NULL"])),
            }
            return Ok(());
        }
        if class.method(b"__sleep").is_some() {
            return self.slept(cx, o, class);
        }
        let table = cx.properties(o, Purpose::Serialize)?;
        // An incomplete object keeps the name of its class.
        let missing = table.get_bytes(INCOMPLETE_NAME).filter(|_| class.lower.as_bytes() == INCOMPLETE_CLASS);
        let missing = missing.and_then(|name| name.deref().as_str().cloned());
        match &missing {
            Some(name) => {
                self.head('O', name.as_bytes())?;
                write!(self.out, "{}:{{", table.len() - 1)?;
                self.properties(cx, &table, Some(INCOMPLETE_NAME), Around::Shared)?;
            }
            None => {
                self.head('O', class.name.as_bytes())?;
                write!(self.out, "{}:{{", table.len())?;
                let around = if o.dynamic().is_none() { Around::Declared } else { Around::Shared };
                self.properties(cx, &table, None, around)?;
            }
        }
        self.out.push(b'}')?;
        self.hold(table)?;
        Ok(())
    }

    /// `__sleep` names the properties to write.
    fn slept(&mut self, cx: &mut Cx, o: &PObject, class: ClassPtr) -> Res<()> {
        let names = calling(cx, None, |cx| cx.call_method(o, b"__sleep", &[]))?;
        let complaint =
            [class.name.as_bytes(), b"::__sleep() should return an array only containing the names of instance-variables to serialize"];
        let Some(names) = names.as_array().cloned() else {
            cx.warning(&complaint)?;
            self.failed(o)?;
            return Ok(());
        };
        let table = cx.properties(o, Purpose::Serialize)?;
        let mut chosen = PArray::new();
        for name in names.values() {
            let name = match name.view_deref() {
                View::Str(s) => s.clone(),
                _ => {
                    cx.warning(&complaint)?;
                    cx.to_string(name.deref())?
                }
            };
            let private = PStr::concat(&[b"\0", class.name.as_bytes(), b"\0", name.as_bytes()]);
            let protected = PStr::concat(&[b"\0*\0", name.as_bytes()]);
            let found = [&name, &private, &protected].into_iter().find_map(|k| table.get_sym(k.as_bytes()).map(|v| (k.clone(), v.clone())));
            match found {
                Some((k, v)) => {
                    let key = Key::from_str(&k);
                    if chosen.contains(&key) {
                        let text = [b"\"".as_slice(), name.as_bytes(), b"\" is returned from __sleep() multiple times"];
                        cx.warning(text)?;
                    } else {
                        chosen.set(key, v);
                    }
                }
                None => {
                    // A typed property without a value has nothing to be written.
                    if class.properties.get(name.as_bytes()).is_some_and(|p| p.ty.is_some() && !p.is_virtual()) {
                        continue;
                    }
                    let text = [b"\"".as_slice(), name.as_bytes(), b"\" returned as member variable from __sleep() but does not exist"];
                    cx.warning(text)?;
                }
            }
        }
        self.head('O', class.name.as_bytes())?;
        write!(self.out, "{}:{{", chosen.len())?;
        self.properties(cx, &chosen, None, Around::Shared)?;
        self.out.push(b'}')?;
        self.hold(chosen)?;
        Ok(())
    }
}

/// Values that are written one after the other with common numbering: what the session formats are made of.
#[derive(Default)]
pub struct Serializer(Writer);

impl Serializer {
    pub fn write(&mut self, cx: &mut Cx, value: &Value) -> Res<()> {
        self.0.value(cx, value, Around::Root)
    }
    /// Bytes of the format around the values.
    pub fn raw(&mut self, bytes: &[u8]) -> Res<()> {
        Ok(self.0.out.extend(bytes)?)
    }
    pub fn finish(self) -> PStr {
        self.0.out.finish()
    }
}
