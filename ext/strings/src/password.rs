//! Passwords, versions, unique ids.

use crate::pure::compare;
use crate::pure::password::{self, CryptError, Hashing, PasswordError};
use jumbo_abi::{Cx, PArray, PStr, Res, Value, View, Work};
use std::time::{SystemTime, UNIX_EPOCH};

/// The algorithm that an argument names (null: the default); None: no such algorithm.
fn algorithm(algo: &Value) -> Option<Hashing> {
    match algo.view_deref() {
        View::Null | View::Undef => Some(Hashing::BCRYPT),
        View::Int(0 | 1) => Some(Hashing::BCRYPT),
        View::Int(2) => Some(Hashing::ARGON2I),
        View::Int(3) => Some(Hashing::ARGON2ID),
        View::Str(s) => match s.as_bytes() {
            b"2y" => Some(Hashing::BCRYPT),
            b"argon2i" => Some(Hashing::ARGON2I),
            b"argon2id" => Some(Hashing::ARGON2ID),
            _ => None,
        },
        _ => None,
    }
}

/// The algorithm with the options that bear on it. Numbers out of any range become one that hashing refuses.
fn with_options(cx: &mut Cx, hashing: Hashing, options: &PArray) -> Res<Hashing> {
    let mut option = |name: &[u8], default: u32| -> Res<u32> {
        match options.get_bytes(name).map(Value::copy_deref) {
            None => Ok(default),
            Some(value) => {
                let number = crate::format::to_int(cx, &value)?;
                cx.unless_thrown(u32::try_from(number).unwrap_or(0))
            }
        }
    };
    Ok(match hashing {
        Hashing::Bcrypt { cost } => Hashing::Bcrypt { cost: option(b"cost", cost)? },
        Hashing::Argon2 { id, memory_kib, passes, threads } => Hashing::Argon2 {
            id,
            memory_kib: option(b"memory_cost", memory_kib)?,
            passes: option(b"time_cost", passes)?,
            threads: option(b"threads", threads)?,
        },
    })
}

pub fn password_hash(cx: &mut Cx, password: &PStr, algo: &Value, options: &PArray) -> Res<PStr> {
    let Some(hashing) = algorithm(algo) else {
        return Err(cx.arg_value_error(2, "must be a valid password hashing algorithm"));
    };
    let hashing = with_options(cx, hashing, options)?;
    if options.get_bytes(b"salt").is_some() {
        cx.warning("The \"salt\" option has been ignored, since providing a custom salt is no longer supported")?;
    }
    match password::hash(password, hashing, &mut Work::new(cx)) {
        Ok(hash) => Ok(PStr::new(&hash)),
        Err(PasswordError::Value(message)) => Err(cx.value_error(message)),
        Err(PasswordError::Stopped(stop)) => Err(stop),
        Err(PasswordError::Failed) => Err(cx.throw_error("Password hashing failed for unknown reason")),
    }
}

pub fn password_verify(cx: &mut Cx, password: &PStr, hash: &PStr) -> Res<bool> {
    password::verify(password, hash, &mut Work::new(cx))
}

pub fn password_get_info(_cx: &mut Cx, hash: &PStr) -> PArray {
    let mut options = PArray::new();
    let found = Hashing::of_hash(hash);
    match &found {
        None => {}
        Some(Hashing::Bcrypt { cost }) => options.set_bytes(b"cost", i64::from(*cost)),
        Some(Hashing::Argon2 { memory_kib, passes, threads, .. }) => {
            options.set_bytes(b"memory_cost", i64::from(*memory_kib));
            options.set_bytes(b"time_cost", i64::from(*passes));
            options.set_bytes(b"threads", i64::from(*threads));
        }
    }
    let mut info = PArray::with_hash_capacity(3);
    match &found {
        None => {
            info.set_bytes(b"algo", Value::null());
            info.set_bytes(b"algoName", "unknown");
        }
        Some(hashing) => {
            let (algo, name) = hashing.name();
            info.set_bytes(b"algo", algo);
            info.set_bytes(b"algoName", name);
        }
    }
    info.set_bytes(b"options", options);
    info
}

pub fn password_needs_rehash(cx: &mut Cx, hash: &PStr, algo: &Value, options: &PArray) -> Res<bool> {
    let Some(hashing) = algorithm(algo) else { return Ok(false) };
    let wanted = with_options(cx, hashing, options)?;
    Ok(Hashing::of_hash(hash) != Some(wanted))
}

pub fn password_algos(_cx: &mut Cx) -> PArray {
    PArray::from_values(["2y", "argon2i", "argon2id"].map(Value::from))
}

pub fn crypt(cx: &mut Cx, string: &PStr, salt: &PStr) -> Res<PStr> {
    match password::crypt(string, salt, &mut Work::new(cx)) {
        Ok(hash) => Ok(PStr::new(&hash)),
        Err(CryptError::BadSalt) => Ok(PStr::new(CryptError::text(salt))),
        Err(CryptError::Stopped(stop)) => Err(stop),
    }
}

pub fn uniqid(cx: &mut Cx, prefix: &PStr, more_entropy: bool) -> Res<PStr> {
    // Two calls never see the same microsecond in one instance.
    #[derive(Default)]
    struct Last(u128);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_micros());
    let last = cx.state::<Last>();
    let micros = now.max(last.0 + 1);
    last.0 = micros;
    let entropy = more_entropy.then(entropy);
    Ok(password::uniqid(prefix, (micros / 1_000_000) as u64, (micros % 1_000_000) as u32, entropy)?)
}

/// A random number below 1, which the eight places that are shown of ten times of it do not round up.
fn entropy() -> f64 {
    let mut bytes = [0; 8];
    // Without randomness from the system the microseconds alone make the id unique.
    if getrandom::fill(&mut bytes).is_err() {
        return 0.0;
    }
    (u64::from_le_bytes(bytes) >> 11) as f64 / (1u64 << 53) as f64 * (1.0 - 1e-9)
}

pub fn version_compare(cx: &mut Cx, version1: &PStr, version2: &PStr, operator: Option<&PStr>) -> Res<Value> {
    // PHP takes them for C strings.
    let text = |version: &PStr| version.slice(0, version.iter().position(|&byte| byte == 0).unwrap_or(version.len()));
    let order = compare::version(&text(version1), &text(version2))?;
    match operator {
        None => Ok(Value::from(order as i64)),
        Some(operator) => match compare::version_operator(operator, order) {
            Some(holds) => Ok(Value::from(holds)),
            None => Err(cx.arg_value_error(3, "must be a valid comparison operator")),
        },
    }
}
