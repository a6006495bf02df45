//! sprintf and its relatives, sscanf, pack and unpack, and the locale (of which only "C" exists).

use crate::pure::format::{self as engine, Arguments, FormatError};
use crate::pure::{pack as packing, scan};
use jumbo_abi::{Cx, OrFalse, PArray, PStr, Res, Stop, Value, View, despite};
use jumbo_value::{HeapVec, OutOfMemory, PStrBuilder};

/// `(int)`, in spite of exceptions (see [`Cx::text_despite`]): an object whose warning throws is 1.
pub(crate) fn to_int(cx: &mut Cx, value: &Value) -> Res<i64> {
    Ok(despite(cx.to_int(value))?.unwrap_or(1))
}

fn to_float(cx: &mut Cx, value: &Value) -> Res<f64> {
    Ok(despite(cx.to_float(value))?.unwrap_or(1.0))
}

/// Arguments of a format: values that the caller's frame, or a copy, keeps alive. A conversion that throws does not keep the others from
/// being made, nor the text from being written.
struct Values<'a> {
    cx: &'a mut Cx,
    values: &'a [Value],
}

impl Values<'_> {
    fn get(&self, index: usize) -> Value {
        self.values.get(index).map_or_else(Value::null, Value::copy_deref)
    }
    fn use_text(&mut self, index: usize, use_bytes: &mut dyn FnMut(&[u8]) -> Result<(), OutOfMemory>) -> Res<()> {
        if let Some(s) = self.values.get(index).and_then(|v| v.deref().as_str()) {
            return Ok(use_bytes(s)?);
        }
        let value = self.get(index);
        let s = self.cx.text_despite(&value)?;
        Ok(use_bytes(&s)?)
    }
}

impl Arguments for Values<'_> {
    type Error = Stop;
    fn count(&self) -> usize {
        self.values.len()
    }
    fn int(&mut self, index: usize) -> Res<i64> {
        let value = self.get(index);
        to_int(self.cx, &value)
    }
    fn float(&mut self, index: usize) -> Res<f64> {
        let value = self.get(index);
        to_float(self.cx, &value)
    }
    fn bytes(&mut self, index: usize, use_bytes: &mut dyn FnMut(&[u8]) -> Result<(), OutOfMemory>) -> Res<()> {
        self.use_text(index, use_bytes)
    }
    fn size(&mut self, index: usize) -> Res<Option<i64>> {
        Ok(self.get(index).as_int())
    }
    fn notice(&mut self, message: &str) -> Res<()> {
        despite(self.cx.notice(message))?;
        Ok(())
    }
}

impl packing::Arguments for Values<'_> {
    type Error = Stop;
    fn count(&self) -> usize {
        self.values.len()
    }
    fn int(&mut self, index: usize) -> Res<i64> {
        let value = self.get(index);
        to_int(self.cx, &value)
    }
    fn float(&mut self, index: usize) -> Res<f64> {
        let value = self.get(index);
        to_float(self.cx, &value)
    }
    fn bytes(&mut self, index: usize, use_bytes: &mut dyn FnMut(&[u8]) -> Result<(), OutOfMemory>) -> Res<()> {
        self.use_text(index, use_bytes)
    }
    fn warning(&mut self, message: &str) -> Res<()> {
        despite(self.cx.warning(message))?;
        Ok(())
    }
}

/// How values reach a format: it bears on what is said when there are too few.
#[derive(Clone, Copy)]
pub enum Passing {
    /// As arguments, after so many others (the format, the stream).
    Arguments(usize),
    /// In an array.
    Array,
}

/// The formatted text (also for fprintf and vfprintf of the files), in spite of exceptions of conversions: they wait for
/// [`Cx::unless_thrown`], and the text is written before.
pub fn formatted(cx: &mut Cx, format: &[u8], values: &[Value], passing: Passing) -> Res<PStrBuilder> {
    let mut out = PStrBuilder::with_capacity(format.len() + 32)?;
    let mut arguments = Values { cx, values };
    match engine::format(format, &mut arguments, &mut out) {
        Ok(()) => Ok(out),
        Err(FormatError::Argument(stop)) => Err(stop),
        Err(FormatError::Value(message)) => Err(cx.value_error(message)),
        Err(FormatError::TooFewArguments { needed }) => match passing {
            Passing::Arguments(leading) => {
                let message = FormatError::<Stop>::count_message(needed, values.len(), leading);
                Err(cx.throw("ArgumentCountError", message))
            }
            Passing::Array => Err(cx.value_error(FormatError::<Stop>::array_message(needed, values.len()))),
        },
    }
}

fn array_values(array: &PArray) -> Res<HeapVec<Value>> {
    Ok(HeapVec::collect(array.values().map(Value::copy_deref))?)
}

pub fn sprintf(cx: &mut Cx, format: &PStr, values: &[Value]) -> Res<PStr> {
    let out = formatted(cx, format, values, Passing::Arguments(1))?;
    cx.unless_thrown(out.finish())
}

pub fn vsprintf(cx: &mut Cx, format: &PStr, values: &PArray) -> Res<PStr> {
    let out = formatted(cx, format, &array_values(values)?, Passing::Array)?;
    cx.unless_thrown(out.finish())
}

pub fn printf(cx: &mut Cx, format: &PStr, values: &[Value]) -> Res<i64> {
    let out = formatted(cx, format, values, Passing::Arguments(1))?;
    cx.write(&out)?;
    cx.unless_thrown(out.len() as i64)
}

pub fn vprintf(cx: &mut Cx, format: &PStr, values: &PArray) -> Res<i64> {
    let out = formatted(cx, format, &array_values(values)?, Passing::Array)?;
    cx.write(&out)?;
    cx.unless_thrown(out.len() as i64)
}

pub fn sscanf(cx: &mut Cx, string: &PStr, format: &PStr, vars: &[Value]) -> Res<Value> {
    scanned(cx, string, format, vars)
}

/// The work of sscanf and fscanf.
pub fn scanned(cx: &mut Cx, string: &[u8], format: &[u8], vars: &[Value]) -> Res<Value> {
    let targets = (!vars.is_empty()).then_some(vars.len());
    // A NUL byte ends the text.
    let string = jumbo_value::string::up_to_nul(string);
    let found = scan::scan(string, format, targets).map_err(|e| match e {
        scan::ScanError::Value(message) => cx.value_error(message),
        scan::ScanError::Memory(refused) => refused.into(),
    })?;
    if targets.is_none() {
        return Ok(match found.assigned {
            // The text ended before the first conversion.
            None => Value::null(),
            Some(_) => Value::from(PArray::from_values(found.values)),
        });
    }
    let assigned = found.assigned;
    for (slot, value) in vars.iter().zip(found.values) {
        if let (Some(reference), false) = (slot.as_ref(), value.is_null()) {
            reference.set(value);
        }
    }
    Ok(Value::from(assigned.map_or(-1, |n| n as i64)))
}

pub fn pack(cx: &mut Cx, format: &PStr, values: &[Value]) -> Res<PStr> {
    match packing::pack(format, &mut Values { cx, values }) {
        Ok(bytes) => cx.unless_thrown(bytes),
        Err(packing::PackError::Argument(stop)) => Err(stop),
        Err(packing::PackError::Value(message)) => Err(cx.value_error(message)),
    }
}

pub fn unpack(cx: &mut Cx, format: &PStr, string: &PStr, offset: i64) -> Res<OrFalse<PArray>> {
    let Some(data) = usize::try_from(offset).ok().and_then(|offset| string.get(offset..)) else {
        return Err(cx.arg_value_error(3, "must be contained in argument #2 ($data)"));
    };
    let unpacked = packing::unpack(format, data)?;
    for warning in &unpacked.warnings {
        cx.warning(warning)?;
    }
    Ok(OrFalse(unpacked.values.map_err(|message| cx.value_error(message))?))
}

// ---- the locale

/// Categories in the order of setlocale's composite answer, with PHP's numbers where it has them.
const CATEGORIES: [(&str, i64); 12] = [
    ("LC_CTYPE", 0),
    ("LC_NUMERIC", 1),
    ("LC_TIME", 2),
    ("LC_COLLATE", 3),
    ("LC_MONETARY", 4),
    ("LC_MESSAGES", 5),
    ("LC_PAPER", -1),
    ("LC_NAME", -1),
    ("LC_ADDRESS", -1),
    ("LC_TELEPHONE", -1),
    ("LC_MEASUREMENT", -1),
    ("LC_IDENTIFICATION", -1),
];
const LC_ALL: i64 = 6;

/// Names that were set. All of them mean the "C" locale; only what setlocale answers differs.
struct Locale {
    names: [&'static str; CATEGORIES.len()],
}

impl Default for Locale {
    /// As PHP starts: UTF-8 is what multibyte functions of the C library would see, nothing else is set.
    fn default() -> Locale {
        let mut names = ["C"; CATEGORIES.len()];
        names[0] = "C.UTF-8";
        Locale { names }
    }
}

impl Locale {
    fn answer(&self, category: i64) -> Option<String> {
        if category == LC_ALL {
            if self.names.iter().all(|n| *n == self.names[0]) {
                return Some(self.names[0].to_owned());
            }
            let parts = CATEGORIES.iter().zip(self.names).map(|((c, _), n)| format!("{c}={n}"));
            return Some(parts.collect::<Vec<_>>().join(";"));
        }
        let at = CATEGORIES.iter().position(|(_, n)| *n == category && category >= 0)?;
        Some(self.names[at].to_owned())
    }
    fn set(&mut self, category: i64, name: &'static str) {
        for (slot, (_, number)) in self.names.iter_mut().zip(CATEGORIES) {
            if category == LC_ALL || number == category {
                *slot = name;
            }
        }
    }
}

/// Tries one locale; the answer of setlocale when it exists.
fn try_locale(cx: &mut Cx, category: i64, name: &[u8]) -> Res<Option<String>> {
    if name.len() >= 255 {
        cx.warning("Specified locale name is too long")?;
        return Ok(None);
    }
    let state = cx.state::<Locale>();
    match name {
        b"0" => {}
        b"C" | b"POSIX" => state.set(category, "C"),
        b"" | b"C.UTF-8" => state.set(category, "C.UTF-8"),
        b"C.utf8" => state.set(category, "C.utf8"),
        _ => return Ok(None),
    }
    Ok(state.answer(category))
}

pub fn setlocale(cx: &mut Cx, category: i64, locales: &Value, rest: &[Value]) -> Res<OrFalse<PStr>> {
    let mut candidates = Vec::new();
    for value in std::iter::once(locales).chain(rest) {
        match value.view_deref() {
            View::Array(list) => candidates.extend(list.values().map(Value::copy_deref)),
            _ => candidates.push(value.copy_deref()),
        }
    }
    for candidate in candidates {
        // Null and 0 ask without setting… "" takes the environment's.
        let name = cx.to_string(&candidate)?;
        if let Some(answer) = try_locale(cx, category, &name)? {
            return Ok(OrFalse(Some(PStr::from(answer.as_str()))));
        }
    }
    Ok(OrFalse::FALSE)
}

pub fn localeconv(_cx: &mut Cx) -> PArray {
    let mut result = PArray::with_hash_capacity(18);
    result.set_bytes(b"decimal_point", b".".as_slice());
    let empty = [
        "thousands_sep", "int_curr_symbol", "currency_symbol", "mon_decimal_point", "mon_thousands_sep", "positive_sign",
        "negative_sign",
    ];
    for name in empty {
        result.set_bytes(name.as_bytes(), PStr::empty());
    }
    // 127: the locale does not say.
    let unknown = [
        "int_frac_digits", "frac_digits", "p_cs_precedes", "p_sep_by_space", "n_cs_precedes", "n_sep_by_space", "p_sign_posn",
        "n_sign_posn",
    ];
    for name in unknown {
        result.set_bytes(name.as_bytes(), 127i64);
    }
    result.set_bytes(b"grouping", PArray::new());
    result.set_bytes(b"mon_grouping", PArray::new());
    result
}

/// What the C locale says, by the C library's numbers: names of days and months and forms of dates from 131072 on.
const LANGUAGE_FIRST: i64 = 131_072;
#[rustfmt::skip]
const LANGUAGE: [&str; 50] = [
    "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    "AM", "PM", "%a %b %e %H:%M:%S %Y", "%m/%d/%y", "%H:%M:%S", "%I:%M:%S %p", "", "", "", "", "", "",
];

pub fn nl_langinfo(cx: &mut Cx, item: i64) -> Res<OrFalse<PStr>> {
    const ERA_YEAR: i64 = 131_117;
    let text = match item {
        14 => "ANSI_X3.4-1968",
        65_536 => ".",
        65_537 => "",
        262_159 => "-",
        327_680 => "^[yY]",
        327_681 => "^[nN]",
        327_682 => "",
        _ => {
            let index = usize::try_from(item - LANGUAGE_FIRST).ok().filter(|_| item != ERA_YEAR);
            match index.and_then(|index| LANGUAGE.get(index)) {
                Some(text) => text,
                None => {
                    cx.warning(format!("Item '{item}' is not valid"))?;
                    return Ok(OrFalse::FALSE);
                }
            }
        }
    };
    Ok(OrFalse(Some(PStr::new(text.as_bytes()))))
}
