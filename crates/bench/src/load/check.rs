//! Is an answer the one that was expected? Every answer under load is asked for its status, its size and a phrase; and its body is
//! compared with the reference after the target's declared normalisation.
//!
//! Comparing must not cost what it measures. A body whose bytes were seen and found good is known by its hash (XXH3), so pages that do not change
//! cost one hash an answer. A body with new bytes (a token, a clock) is normalised and compared. Where most bodies are new, one in
//! [`SAMPLE_ONE_IN`] is compared; how many were, is part of the result.

use crate::normalise::Normaliser;
use std::ops::RangeInclusive;
use std::sync::Arc;
use twox_hash::XxHash3_64;

/// Hashes of good bodies that are kept for each URL.
const KNOWN_MAX: usize = 64;
/// A window of this many bodies decides whether the next are sampled.
const WINDOW: u32 = 64;
const SAMPLE_ONE_IN: u32 = 16;

/// What the answer to a request must be.
#[derive(Debug, Clone)]
pub struct Expectation {
    pub status: u16,
    pub phrase: Option<Vec<u8>>,
    pub body_bytes: RangeInclusive<usize>,
    /// The body after normalisation; without it, bodies are not compared.
    pub body: Option<Arc<Reference>>,
}

impl Default for Expectation {
    fn default() -> Expectation {
        Expectation { status: 200, phrase: None, body_bytes: 0..=usize::MAX, body: None }
    }
}

/// The normalised body that answers are compared with.
#[derive(Debug)]
pub struct Reference {
    pub normaliser: Arc<Normaliser>,
    pub normalised: Vec<u8>,
}

/// What is wrong with a complete answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    Status(u16),
    Size(usize),
    Phrase,
    Body,
}

/// Checks the answers to one request in one thread.
#[derive(Debug)]
pub struct Checker {
    expected: Arc<Expectation>,
    finder: Option<memchr::memmem::Finder<'static>>,
    known: Vec<u64>,
    /// Of the current window: bodies, and how many of them were new.
    seen: u32,
    new: u32,
    sampling: bool,
    skipped: u32,
    /// Bodies that were compared with the reference, directly or by their hash.
    pub compared: u64,
}

impl Checker {
    pub fn new(expected: Arc<Expectation>) -> Checker {
        let finder = expected.phrase.as_deref().map(|phrase| memchr::memmem::Finder::new(phrase).into_owned());
        Checker { expected, finder, known: Vec::new(), seen: 0, new: 0, sampling: false, skipped: 0, compared: 0 }
    }

    pub fn check(&mut self, status: u16, body: &[u8]) -> Result<(), Fault> {
        if status != self.expected.status {
            return Err(Fault::Status(status));
        }
        if !self.expected.body_bytes.contains(&body.len()) {
            return Err(Fault::Size(body.len()));
        }
        if let Some(finder) = &self.finder
            && finder.find(body).is_none()
        {
            return Err(Fault::Phrase);
        }
        let Some(reference) = self.expected.body.clone() else { return Ok(()) };
        let hash = XxHash3_64::oneshot(body);
        self.seen += 1;
        if self.seen >= WINDOW {
            self.sampling = self.new > WINDOW / 2;
            (self.seen, self.new) = (0, 0);
        }
        if self.known.contains(&hash) {
            self.compared += 1;
            return Ok(());
        }
        if self.sampling {
            self.skipped += 1;
            if self.skipped % SAMPLE_ONE_IN != 0 {
                self.new += 1;
                return Ok(());
            }
        }
        self.compared += 1;
        if *reference.normaliser.apply(body) != *reference.normalised {
            return Err(Fault::Body);
        }
        // Only good ones count as new: wrong bodies are never a reason to look less.
        self.new += 1;
        if self.known.len() >= KNOWN_MAX {
            self.known.remove(0);
        }
        self.known.push(hash);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checker(pattern: &str, reference: &[u8]) -> Checker {
        let normaliser = Arc::new(Normaliser::new(&[(pattern, "N")]).unwrap());
        let normalised = normaliser.apply(reference).into_owned();
        let body = Some(Arc::new(Reference { normaliser, normalised }));
        Checker::new(Arc::new(Expectation { phrase: Some(b"page".to_vec()), body_bytes: 4..=100, body, ..Expectation::default() }))
    }

    #[test]
    fn each_fault_has_its_name() {
        let mut checker = checker("[0-9]+", b"page 1");
        assert_eq!(checker.check(200, b"page 77"), Ok(()));
        assert_eq!(checker.check(500, b"page 1"), Err(Fault::Status(500)));
        assert_eq!(checker.check(200, b"pag"), Err(Fault::Size(3)));
        assert_eq!(checker.check(200, b"no such thing"), Err(Fault::Phrase));
        assert_eq!(checker.check(200, b"page x"), Err(Fault::Body));
    }

    #[test]
    fn bodies_that_always_change_are_sampled_and_counted() {
        let mut checker = checker("[0-9]+", b"page 0");
        for n in 0..6400_u32 {
            assert_eq!(checker.check(200, format!("page {n}").as_bytes()), Ok(()));
        }
        assert!((400..=600).contains(&checker.compared), "{}", checker.compared);
        // A wrong body cannot hide for long among them.
        assert!((6400..6500_u32).any(|n| checker.check(200, format!("page {n} wrong").as_bytes()).is_err()));
    }

    #[test]
    fn bodies_that_stay_are_all_compared() {
        let mut checker = checker("[0-9]+", b"page 0");
        for _ in 0..1000 {
            checker.check(200, b"page 5").unwrap();
        }
        assert_eq!(checker.compared, 1000);
    }
}
