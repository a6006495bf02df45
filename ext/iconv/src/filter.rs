//! The stream filters `convert.iconv.FROM/TO` (or `FROM.TO`).

use crate::charset::{Charset, ConversionError, Failure};
use jumbo_abi::stream::{Filter, FilterDesc};
use jumbo_abi::{Cx, PStr, Res, Value};
use jumbo_value::PStrBuilder;
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

pub const FILTERS: &[FilterDesc] = &[FilterDesc { name: "convert.iconv.*", make }];

const PREFIX: usize = "convert.iconv.".len();

fn make(_cx: &mut Cx, name: &[u8], _params: &Value) -> Res<Option<Rc<dyn Filter>>> {
    Ok(made(name))
}

fn made(name: &[u8]) -> Option<Rc<dyn Filter>> {
    let names = name.get(PREFIX..).unwrap_or_default();
    let Some(at) = names.iter().position(|b| *b == b'/').or_else(|| names.iter().position(|b| *b == b'.')) else { return None };
    let (from_name, to_name) = (&names[..at], &names[at + 1..]);
    let (from, to) = (Charset::find(from_name), Charset::find(to_name));
    let (Some(from), Some(to)) = (from, to) else { return None };
    // Encodings with shifts or marks are converted as a whole.
    let has_states = |name: &[u8]| {
        let upper = name.to_ascii_uppercase();
        upper.starts_with(b"ISO-2022") || matches!(upper.as_slice(), b"UTF-16" | b"UTF-32" | b"JIS" | b"UTF-7")
    };
    let whole = has_states(from_name) || has_states(to_name);
    let shown = PStr::concat(&[b"(\"", from_name, b"\"=>\"", to_name, b"\")"]);
    Some(Rc::new(Convert { from, to, shown, whole, rest: RefCell::default() }))
}

struct Convert {
    from: Charset,
    to: Charset,
    /// The conversion, for messages.
    shown: PStr,
    whole: bool,
    /// Bytes whose character is not there yet.
    rest: RefCell<PStrBuilder>,
}

impl Convert {
    fn complain(&self, cx: &mut Cx) -> Res<()> {
        cx.warning([b"iconv stream filter ".as_slice(), &self.shown, b": invalid multibyte sequence"])
    }
}

impl Filter for Convert {
    fn filter(&self, cx: &mut Cx, input: &[u8], closing: bool, output: &mut PStrBuilder) -> Res<bool> {
        if self.whole && !closing {
            self.rest.borrow_mut().extend(input)?;
            return Ok(true);
        }
        let mut data = self.rest.take();
        data.extend(input)?;
        if data.is_empty() {
            return Ok(true);
        }
        let (codes, failure) = self.from.decode(&data)?;
        match failure {
            None => {}
            Some(Failure::Incomplete) if !closing => {
                let used = match self.from.encode(&codes) {
                    Ok(bytes) => bytes.len().min(data.len()),
                    Err(ConversionError::Memory(refused)) => return Err(refused.into()),
                    Err(ConversionError::Text(_)) => 0,
                };
                self.rest.borrow_mut().extend(&data[used..])?;
            }
            Some(_) => {
                self.complain(cx)?;
                return Ok(false);
            }
        }
        match self.to.encode(&codes) {
            Ok(bytes) => {
                output.extend(&bytes)?;
                Ok(true)
            }
            Err(ConversionError::Memory(refused)) => Err(refused.into()),
            Err(ConversionError::Text(_)) => {
                self.complain(cx)?;
                Ok(false)
            }
        }
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
