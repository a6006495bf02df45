//! The script's queue of errors: the last ones of the library, the oldest first.

use crate::sys;
use jumbo_abi::{Cx, OrFalse, PStr};
use std::collections::VecDeque;

/// What PHP keeps.
const MAX: usize = 15;

#[derive(Default)]
struct Errors(VecDeque<u64>);

/// Takes what the library has to say over into the script's queue.
pub fn store(cx: &mut Cx) {
    keep(cx, sys::take_errors());
}

/// Computes on the pool of threads, and takes over what the library had to say there.
pub fn compute<T: Send + 'static>(cx: &mut Cx, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (output, codes) = cx.compute(|| {
        let output = work();
        (output, sys::take_errors())
    });
    keep(cx, codes);
    output
}

fn keep(cx: &mut Cx, codes: Vec<u64>) {
    if codes.is_empty() {
        return;
    }
    let errors = &mut cx.state::<Errors>().0;
    for code in codes {
        if errors.len() == MAX {
            errors.pop_front();
        }
        errors.push_back(code);
    }
}

/// Forgets what the library has to say.
pub fn discard() {
    sys::take_errors();
}

pub fn openssl_error_string(cx: &mut Cx) -> OrFalse<PStr> {
    store(cx);
    OrFalse(cx.state::<Errors>().0.pop_front().map(|code| PStr::new(&sys::error_text(code))))
}
