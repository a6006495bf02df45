//! The classes in Random\Engine: their state, and what they have in common.

use crate::engine::{Engine, Generated, NoRandomness, Secure};
use crate::functions::no_randomness;
use crate::mt19937::{Mode, Mt19937};
use crate::pcg::PcgOneseq128XslRr64;
use crate::xoshiro::Xoshiro256StarStar;
use jumbo_abi::{ClassHooks, ClassPtr, Cx, PArray, PObject, PStr, Res, Stop, Value};
use jumbo_value::object::Native;
use std::cell::RefCell;

/// An engine of PHP's own.
#[derive(Clone)]
pub(crate) enum Kind {
    Mt(Mt19937),
    Pcg(PcgOneseq128XslRr64),
    Xoshiro(Xoshiro256StarStar),
    Secure,
}

/// The native state of an engine object.
pub(crate) struct State(pub RefCell<Kind>);

impl Native for State {
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        Some(Box::new(State(RefCell::new(self.0.borrow().clone()))))
    }
}

impl Kind {
    pub fn generate(&mut self) -> Result<Generated, NoRandomness> {
        match self {
            Kind::Mt(engine) => engine.generate().or(Err(NoRandomness)),
            Kind::Pcg(engine) => engine.generate().or(Err(NoRandomness)),
            Kind::Xoshiro(engine) => engine.generate().or(Err(NoRandomness)),
            Kind::Secure => Secure.generate(),
        }
    }

    /// The state as serialize shows it: words in hexadecimal, lowest byte first.
    fn to_array(&self) -> PArray {
        let hex = |bytes: &[u8]| Value::from(bytes.iter().map(|b| format!("{b:02x}")).collect::<String>());
        match self {
            Kind::Mt(engine) => {
                let (words, used, mode) = engine.state();
                let mut array = PArray::from_values(words.iter().map(|w| hex(&w.to_le_bytes())));
                array.append(used);
                array.append(i64::from(mode == Mode::Php));
                array
            }
            Kind::Pcg(engine) => {
                let state = engine.state();
                let halves = [(state >> 64) as u64, state as u64];
                PArray::from_values(halves.map(|half| hex(&half.to_le_bytes())))
            }
            Kind::Xoshiro(engine) => PArray::from_values(engine.state().map(|word| hex(&word.to_le_bytes()))),
            Kind::Secure => PArray::new(),
        }
    }

    /// The engine of the same kind in a serialised state.
    fn with_state(&self, state: &PArray) -> Option<Kind> {
        match self {
            Kind::Mt(_) => {
                let mut words = [0u32; 624];
                for (n, word) in words.iter_mut().enumerate() {
                    *word = u32::from_le_bytes(unhex(state.get_int(n as i64)?)?);
                }
                let used = usize::try_from(state.get_int(624)?.deref().as_int()?).ok()?;
                let mode = match state.get_int(625)?.deref().as_int()? {
                    0 => Mode::Standard,
                    1 => Mode::Php,
                    _ => return None,
                };
                (state.len() == 626).then_some(())?;
                Some(Kind::Mt(Mt19937::from_state(words, used, mode)?))
            }
            Kind::Pcg(_) => {
                (state.len() == 2).then_some(())?;
                let half = |n| Some(u128::from(u64::from_le_bytes(unhex(state.get_int(n)?)?)));
                Some(Kind::Pcg(PcgOneseq128XslRr64::from_state(half(0)? << 64 | half(1)?)))
            }
            Kind::Xoshiro(_) => {
                (state.len() == 4).then_some(())?;
                let mut words = [0u64; 4];
                for (n, word) in words.iter_mut().enumerate() {
                    *word = u64::from_le_bytes(unhex(state.get_int(n as i64)?)?);
                }
                Some(Kind::Xoshiro(Xoshiro256StarStar::from_state(words)?))
            }
            Kind::Secure => None,
        }
    }
}

/// `N` bytes in hexadecimal.
fn unhex<const N: usize>(value: &Value) -> Option<[u8; N]> {
    let text = value.deref().as_bytes()?;
    let (pairs, rest) = text.as_chunks::<2>();
    (pairs.len() == N && rest.is_empty()).then_some(())?;
    let mut out = [0; N];
    for (byte, pair) in out.iter_mut().zip(pairs) {
        let digit = |b: u8| (b as char).to_digit(16);
        *byte = (digit(pair[0])? * 16 + digit(pair[1])?) as u8;
    }
    Some(out)
}

fn attach(object: &PObject, kind: Kind) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(State(RefCell::new(kind))));
    Ok(())
}

pub static MT19937: ClassHooks =
    ClassHooks { create: Some(|_, o| attach(o, Kind::Mt(Mt19937::new(0, Mode::Standard)))), ..ClassHooks::NONE };
pub static PCG: ClassHooks =
    ClassHooks { create: Some(|_, o| attach(o, Kind::Pcg(PcgOneseq128XslRr64::new(0)))), ..ClassHooks::NONE };
pub static XOSHIRO: ClassHooks =
    ClassHooks { create: Some(|_, o| attach(o, Kind::Xoshiro(Xoshiro256StarStar::new(0)))), ..ClassHooks::NONE };
pub static SECURE: ClassHooks =
    ClassHooks { create: Some(|_, o| attach(o, Kind::Secure)), uncloneable: true, ..ClassHooks::NONE };

/// The state of an engine object, which its class's `create` attached.
pub(crate) fn state<'o>(cx: &mut Cx, this: &'o PObject) -> Res<&'o State> {
    match this.native::<State>() {
        Some(state) => Ok(state),
        None => Err(cx.throw_error("The random engine has not been initialized")),
    }
}

fn replace(cx: &mut Cx, this: &PObject, kind: Kind) -> Res<()> {
    *state(cx, this)?.0.borrow_mut() = kind;
    Ok(())
}

pub fn generate(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let generated = state(cx, this)?.0.borrow_mut().generate();
    let generated = generated.map_err(|NoRandomness| no_randomness(cx))?;
    Ok(PStr::new(&generated.value.to_le_bytes()[..generated.bytes.min(8)]))
}

pub fn serialize(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let states = state(cx, this)?.0.borrow().to_array();
    Ok(PArray::from_values([Value::empty_array(), Value::from(states)]))
}

pub(crate) fn invalid_data(cx: &mut Cx, this: &PObject) -> Stop {
    let message = [b"Invalid serialization data for ".as_slice(), &ClassPtr::of(this).name, b" object"].concat();
    cx.throw("Exception", message)
}

pub fn unserialize(cx: &mut Cx, this: &PObject, data: &PArray) -> Res<()> {
    let members = data.get_int(0).map(Value::copy_deref);
    let states = data.get_int(1).map(Value::copy_deref);
    let current = state(cx, this)?.0.borrow().clone();
    let new = match (members.as_ref().and_then(Value::as_array), states.as_ref().and_then(Value::as_array)) {
        (Some(_), Some(states)) if data.len() == 2 => current.with_state(states),
        _ => None,
    };
    match new {
        Some(kind) => replace(cx, this, kind),
        None => Err(invalid_data(cx, this)),
    }
}

pub fn debug_info(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let states = state(cx, this)?.0.borrow().to_array();
    let mut array = PArray::new();
    array.set_bytes(b"__states", states);
    Ok(array)
}

pub mod mt19937 {
    //! Random\Engine\Mt19937.
    use super::*;
    use crate::instance;

    pub fn __construct(cx: &mut Cx, this: &PObject, seed: Option<i64>, mode: i64) -> Res<()> {
        if mode != 0 && mode != 1 {
            return Err(cx.arg_value_error(2, "must be either MT_RAND_MT19937 or MT_RAND_PHP"));
        }
        let mode = crate::functions::mode(cx, mode)?;
        let seed = seed.map_or_else(instance::chance, |seed| seed as u32);
        replace(cx, this, Kind::Mt(Mt19937::new(seed, mode)))
    }
}

pub mod pcg {
    //! Random\Engine\PcgOneseq128XslRr64.
    use super::*;
    use jumbo_abi::View;

    pub fn __construct(cx: &mut Cx, this: &PObject, seed: Option<&Value>) -> Res<()> {
        let seed = match seed.map(Value::view_deref) {
            Some(View::Int(seed)) => u128::from(seed.cast_unsigned()),
            Some(View::Str(bytes)) => match bytes.as_bytes().as_chunks::<8>() {
                ([high, low], []) => u128::from(u64::from_le_bytes(*high)) << 64 | u128::from(u64::from_le_bytes(*low)),
                _ => return Err(cx.arg_value_error(1, "must be a 16 byte (128 bit) string")),
            },
            _ => {
                let mut bytes = [0; 16];
                crate::functions::secure_bytes(cx, &mut bytes)?;
                u128::from_le_bytes(bytes)
            }
        };
        replace(cx, this, Kind::Pcg(PcgOneseq128XslRr64::new(seed)))
    }

    pub fn jump(cx: &mut Cx, this: &PObject, advance: i64) -> Res<()> {
        let Ok(advance) = u64::try_from(advance) else {
            return Err(cx.arg_value_error(1, "must be greater than or equal to 0"));
        };
        if let Kind::Pcg(engine) = &mut *state(cx, this)?.0.borrow_mut() {
            engine.jump(advance);
        }
        Ok(())
    }
}

pub mod xoshiro {
    //! Random\Engine\Xoshiro256StarStar.
    use super::*;
    use jumbo_abi::View;

    pub fn __construct(cx: &mut Cx, this: &PObject, seed: Option<&Value>) -> Res<()> {
        let engine = match seed.map(Value::view_deref) {
            Some(View::Int(seed)) => Xoshiro256StarStar::new(seed),
            Some(View::Str(bytes)) => {
                let ([a, b, c, d], []) = bytes.as_bytes().as_chunks::<8>() else {
                    return Err(cx.arg_value_error(1, "must be a 32 byte (256 bit) string"));
                };
                match Xoshiro256StarStar::from_state([a, b, c, d].map(|word| u64::from_le_bytes(*word))) {
                    Some(engine) => engine,
                    None => return Err(cx.arg_value_error(1, "must not consist entirely of NUL bytes")),
                }
            }
            _ => loop {
                let mut words = [[0; 8]; 4];
                crate::functions::secure_bytes(cx, words.as_flattened_mut())?;
                if let Some(engine) = Xoshiro256StarStar::from_state(words.map(u64::from_le_bytes)) {
                    break engine;
                }
            },
        };
        replace(cx, this, Kind::Xoshiro(engine))
    }

    pub fn jump(cx: &mut Cx, this: &PObject) -> Res<()> {
        if let Kind::Xoshiro(engine) = &mut *state(cx, this)?.0.borrow_mut() {
            engine.jump();
        }
        Ok(())
    }

    pub fn jump_long(cx: &mut Cx, this: &PObject) -> Res<()> {
        if let Kind::Xoshiro(engine) = &mut *state(cx, this)?.0.borrow_mut() {
            engine.jump_long();
        }
        Ok(())
    }
}
