//! Random\Randomizer: the algorithms over an engine of PHP's own or of the program.
//!
//! An engine written in PHP may do anything while it generates; the engine object is held meanwhile.

use crate::engine::{Engine, Generated, NoRandomness, RandomError};
use crate::engines::{Kind, State, invalid_data};
use crate::float::{self, Boundary};
use crate::functions::no_randomness;
use crate::{pick, range};
use jumbo_abi::{Cx, PArray, PObject, PStr, Res, Stop, Value};
use jumbo_value::{HeapCharge, PStrBuilder};

/// Slot of the only property.
const ENGINE: u32 = 0;
const BROKEN: &str = "Random\\BrokenRandomEngineError";

/// An engine object as a source of numbers.
struct Source<'a> {
    cx: &'a mut Cx,
    engine: PObject,
    generated: u32,
}

/// How many numbers are generated between two safepoints: a power of two.
const NUMBERS_MAX: u32 = 16 << 10;

impl Engine for Source<'_> {
    type Error = Stop;
    fn generate(&mut self) -> Res<Generated> {
        self.generated = self.generated.wrapping_add(1);
        if self.generated.is_multiple_of(NUMBERS_MAX) {
            self.cx.check()?;
        }
        if let Some(state) = self.engine.native::<State>() {
            let generated = state.0.borrow_mut().generate();
            return generated.map_err(|NoRandomness| no_randomness(self.cx));
        }
        let answer = self.cx.call_method(&self.engine, b"generate", &[])?;
        let bytes = self.cx.to_string(&answer)?;
        if bytes.is_empty() {
            return Err(self.cx.throw(BROKEN, "A random engine must return a non-empty string"));
        }
        let count = bytes.len().min(8);
        let mut value = [0; 8];
        value[..count].copy_from_slice(&bytes[..count]);
        Ok(Generated { value: u64::from_le_bytes(value), bytes: count })
    }
}

/// Runs an algorithm over the randomizer's engine.
fn with<T>(cx: &mut Cx, this: &PObject, run: impl FnOnce(&mut Source<'_>) -> Result<T, RandomError<Stop>>) -> Res<T> {
    let Some(engine) = this.slot(ENGINE).as_object().cloned() else {
        let message = "Typed property Random\\Randomizer::$engine must not be accessed before initialization";
        return Err(cx.throw_error(message));
    };
    let result = run(&mut Source { cx, engine, generated: 0 });
    result.map_err(|error| match error {
        RandomError::Engine(stop) => stop,
        RandomError::Attempts => cx.throw(BROKEN, RandomError::<Stop>::ATTEMPTS_MESSAGE),
    })
}

pub fn __construct(cx: &mut Cx, this: &PObject, engine: Option<&PObject>) -> Res<()> {
    if this.slot(ENGINE).is_object() {
        return Err(cx.throw_error("Cannot modify readonly property Random\\Randomizer::$engine"));
    }
    let engine = match engine {
        Some(engine) => engine.clone(),
        None => {
            let class = cx.builtin_class(b"random\\engine\\secure");
            cx.new_object(class)?
        }
    };
    this.set_slot(ENGINE, Value::from(engine));
    Ok(())
}

pub fn next_int(cx: &mut Cx, this: &PObject) -> Res<i64> {
    with(cx, this, |source| pick::next_int(source))
}

pub fn next_float(cx: &mut Cx, this: &PObject) -> Res<f64> {
    with(cx, this, |source| float::next_float(source))
}

pub fn get_float(cx: &mut Cx, this: &PObject, min: f64, max: f64, boundary: Option<&PObject>) -> Res<f64> {
    if !min.is_finite() {
        return Err(cx.arg_value_error(1, "must be finite"));
    }
    if !max.is_finite() {
        return Err(cx.arg_value_error(2, "must be finite"));
    }
    let boundary = match boundary {
        None => Boundary::ClosedOpen,
        Some(case) => match cx.read_property(case, b"name")?.as_bytes() {
            Some(b"ClosedClosed") => Boundary::ClosedClosed,
            Some(b"OpenClosed") => Boundary::OpenClosed,
            Some(b"OpenOpen") => Boundary::OpenOpen,
            _ => Boundary::ClosedOpen,
        },
    };
    if boundary == Boundary::ClosedClosed {
        if max < min {
            return Err(cx.arg_value_error(2, "must be greater than or equal to argument #1 ($min)"));
        }
    } else if max <= min {
        return Err(cx.arg_value_error(2, "must be greater than argument #1 ($min)"));
    }
    match with(cx, this, |source| float::float_in(source, min, max, boundary))? {
        Some(float) => Ok(float),
        None => {
            let message = "The given interval is empty, there are no floats between argument #1 ($min) and argument #2 ($max).";
            Err(cx.value_error(message))
        }
    }
}

pub fn get_int(cx: &mut Cx, this: &PObject, min: i64, max: i64) -> Res<i64> {
    if max < min {
        return Err(cx.arg_value_error(2, "must be greater than or equal to argument #1 ($min)"));
    }
    with(cx, this, |source| {
        // Mt19937 has a way of its own in its old mode.
        if let Some(state) = source.engine.native::<State>()
            && let Kind::Mt(engine) = &mut *state.0.borrow_mut()
        {
            return Ok(engine.next_in(min, max));
        }
        range::range(source, min, max)
    })
}

fn positive(cx: &mut Cx, n: u32, length: i64) -> Res<usize> {
    match usize::try_from(length) {
        Ok(length) if length > 0 => Ok(length),
        _ => Err(cx.arg_value_error(n, "must be greater than 0")),
    }
}

pub fn get_bytes(cx: &mut Cx, this: &PObject, length: i64) -> Res<PStr> {
    let length = positive(cx, 1, length)?;
    let mut out = PStrBuilder::new();
    out.fill(0, length)?;
    with(cx, this, |source| pick::bytes(source, out.as_mut_bytes()))?;
    Ok(out.finish())
}

pub fn get_bytes_from_string(cx: &mut Cx, this: &PObject, string: &PStr, length: i64) -> Res<PStr> {
    if string.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    let length = positive(cx, 2, length)?;
    let mut out = PStrBuilder::new();
    out.fill(0, length)?;
    with(cx, this, |source| pick::bytes_from_string(source, string, out.as_mut_bytes()))?;
    Ok(out.finish())
}

pub fn shuffle_array(cx: &mut Cx, this: &PObject, array: &PArray) -> Res<PArray> {
    let _charge = HeapCharge::for_vec::<Value>(array.len())?;
    let mut values: Vec<Value> = array.values().cloned().collect();
    with(cx, this, |source| pick::shuffle(source, values.len(), |a, b| values.swap(a, b)))?;
    Ok(PArray::from_values(values))
}

pub fn shuffle_bytes(cx: &mut Cx, this: &PObject, bytes: &PStr) -> Res<PStr> {
    let mut shuffled = PStrBuilder::with_capacity(bytes.len())?;
    shuffled.extend(bytes)?;
    let places = shuffled.as_mut_bytes();
    with(cx, this, |source| pick::shuffle(source, places.len(), |a, b| places.swap(a, b)))?;
    Ok(shuffled.finish())
}

pub fn pick_array_keys(cx: &mut Cx, this: &PObject, array: &PArray, num: i64) -> Res<PArray> {
    if array.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    let Some(wanted) = usize::try_from(num).ok().filter(|&n| (1..=array.len()).contains(&n)) else {
        return Err(cx.arg_value_error(2, "must be between 1 and the number of elements in argument #1 ($array)"));
    };
    let picked = with(cx, this, |source| pick::pick(source, array.len(), wanted))?;
    let keys: Vec<Value> = array.keys().map(jumbo_abi::KeyRef::to_value).collect();
    Ok(PArray::from_values(picked.into_iter().filter_map(|at| keys.get(at).cloned())))
}

pub fn __serialize(_cx: &mut Cx, this: &PObject) -> PArray {
    let mut members = PArray::new();
    members.set_bytes(b"engine", this.slot(ENGINE));
    PArray::from_values([Value::from(members)])
}

pub fn __unserialize(cx: &mut Cx, this: &PObject, data: &PArray) -> Res<()> {
    let members = data.get_int(0).map(Value::copy_deref);
    let engine = members.as_ref().and_then(Value::as_array).and_then(|m| m.get_bytes(b"engine")).map(Value::copy_deref);
    let interface = cx.builtin_class(b"random\\engine");
    // Nothing else, and only once: the property is read-only.
    let only = data.len() == 1 && members.as_ref().and_then(Value::as_array).is_some_and(|m| m.len() == 1);
    match engine.as_ref().and_then(Value::as_object) {
        Some(engine) if only && !this.slot(ENGINE).is_object() && jumbo_abi::ClassPtr::of(engine).is_a(interface) => {
            this.set_slot(ENGINE, Value::from(engine.clone()));
            Ok(())
        }
        _ => Err(invalid_data(cx, this)),
    }
}
