//! What the algorithms ask of a source of random numbers, the system's source, and lcg_value.

use std::convert::Infallible;

/// One output of an engine: `bytes` (1 to 8) bytes, the first being the lowest of `value`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generated {
    pub value: u64,
    pub bytes: usize,
}

/// A source of random numbers. Engines written in PHP can throw, hence the error.
pub trait Engine {
    type Error;
    fn generate(&mut self) -> Result<Generated, Self::Error>;
}

/// Why an algorithm stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RandomError<E> {
    Engine(E),
    /// A Random\BrokenRandomEngineError: the engine gave nothing usable in 50 attempts.
    Attempts,
}

impl<E> RandomError<E> {
    /// The text of the BrokenRandomEngineError.
    pub const ATTEMPTS_MESSAGE: &'static str =
        "Failed to generate an acceptable random number in 50 attempts";
}

/// How often an output may be rejected.
pub(crate) const ATTEMPTS_MAX: u32 = 50;

/// Outputs put together, the first lowest, until there are `bytes` of them.
pub(crate) fn gather<E: Engine>(
    engine: &mut E,
    bytes: usize,
) -> Result<u64, RandomError<E::Error>> {
    let mut value = 0u64;
    let mut have = 0;
    while have < bytes {
        let generated = engine.generate().map_err(RandomError::Engine)?;
        value |= generated.value.checked_shl(have as u32 * 8).unwrap_or(0);
        have += generated.bytes.max(1);
    }
    Ok(value)
}

/// The operating system's randomness: random_int, random_bytes, Random\Engine\Secure.
#[derive(Debug, Default, Clone, Copy)]
pub struct Secure;

/// The system has no randomness to give (PHP: a Random\RandomException).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoRandomness;

impl Secure {
    pub const MESSAGE: &'static str = "Failed to generate a random number";

    /// Fills `bytes`.
    pub fn fill(bytes: &mut [u8]) -> Result<(), NoRandomness> {
        getrandom::fill(bytes).map_err(|_| NoRandomness)
    }
}

impl Engine for Secure {
    type Error = NoRandomness;

    fn generate(&mut self) -> Result<Generated, NoRandomness> {
        let mut bytes = [0; 8];
        Secure::fill(&mut bytes)?;
        Ok(Generated {
            value: u64::from_le_bytes(bytes),
            bytes: 8,
        })
    }
}

/// L'Ecuyer's combined generator behind lcg_value().
#[derive(Debug, Clone, Copy)]
pub struct CombinedLcg {
    first: i32,
    second: i32,
}

impl CombinedLcg {
    pub fn seeded() -> Result<CombinedLcg, NoRandomness> {
        let mut bytes = [0; 8];
        Secure::fill(&mut bytes)?;
        let bits = u64::from_le_bytes(bytes);
        // Each in 1..=2147483398, so that neither sequence is stuck at zero.
        let seed = |bits: u32| (bits % 2_147_483_398 + 1) as i32;
        Ok(CombinedLcg {
            first: seed(bits as u32),
            second: seed((bits >> 32) as u32),
        })
    }

    /// The next value, above 0 and below 1.
    pub fn next_value(&mut self) -> f64 {
        let step =
            |seed: i32, factor: i64, modulus: i64| (i64::from(seed) * factor % modulus) as i32;
        self.first = step(self.first, 40014, 2_147_483_563);
        self.second = step(self.second, 40692, 2_147_483_399);
        let mut difference = self.first.wrapping_sub(self.second);
        if difference < 1 {
            difference += 2_147_483_562;
        }
        f64::from(difference) * 4.656613e-10
    }
}

/// The result of an algorithm over an engine that cannot fail, when it did not run out of attempts.
pub fn infallible<T>(result: Result<T, RandomError<Infallible>>) -> Option<T> {
    result.ok()
}
