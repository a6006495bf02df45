//! The stream filters `convert.iconv.FROM/TO` (or `FROM.TO`).

use crate::charset::{Charset, Failure};
use jumbo_abi::stream::{Filter, FilterDesc};
use jumbo_abi::{Cx, Res, Value};
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
    let (from_name, to_name) = (names[..at].to_vec(), names[at + 1..].to_vec());
    let (from, to) = (Charset::find(&names[..at]), Charset::find(&names[at + 1..]));
    let (Some(from), Some(to)) = (from, to) else { return None };
    // Encodings with shifts or marks are converted as a whole.
    let has_states = |name: &[u8]| {
        let upper = name.to_ascii_uppercase();
        upper.starts_with(b"ISO-2022") || matches!(upper.as_slice(), b"UTF-16" | b"UTF-32" | b"JIS" | b"UTF-7")
    };
    let whole = has_states(&names[..at]) || has_states(&names[at + 1..]);
    let shown = [b"(\"".as_slice(), &from_name, b"\"=>\"", &to_name, b"\")"].concat();
    Some(Rc::new(Convert { from, to, shown, whole, rest: RefCell::default() }))
}

struct Convert {
    from: Charset,
    to: Charset,
    /// The conversion, for messages.
    shown: Vec<u8>,
    whole: bool,
    /// Bytes whose character is not there yet.
    rest: RefCell<Vec<u8>>,
}

impl Convert {
    fn complain(&self, cx: &mut Cx) -> Res<()> {
        cx.warning([b"iconv stream filter ".as_slice(), &self.shown, b": invalid multibyte sequence"].concat())
    }
}

impl Filter for Convert {
    fn filter(&self, cx: &mut Cx, input: &[u8], closing: bool, output: &mut Vec<u8>) -> Res<bool> {
        let mut data = self.rest.take();
        data.extend_from_slice(input);
        if data.is_empty() {
            return Ok(true);
        }
        if self.whole && !closing {
            *self.rest.borrow_mut() = data;
            return Ok(true);
        }
        let (codes, failure) = self.from.decode(&data);
        match failure {
            None => {}
            Some(Failure::Incomplete) if !closing => {
                let used = self.from.encode(&codes).map_or(0, |bytes| bytes.len()).min(data.len());
                *self.rest.borrow_mut() = data.split_off(used);
            }
            Some(_) => {
                self.complain(cx)?;
                return Ok(false);
            }
        }
        match self.to.encode(&codes) {
            Ok(bytes) => {
                output.extend_from_slice(&bytes);
                Ok(true)
            }
            Err(_) => {
                self.complain(cx)?;
                Ok(false)
            }
        }
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
