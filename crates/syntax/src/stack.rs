//! Recursion that depends on neither the thread's nor the coroutine's stack size.
//!
//! What is left of a stack cannot be asked for inside a coroutine (only the thread's own stack is known to the system), so
//! this measures how much the recursion has used, and moves it to a new segment when that is enough.
//! It asks for about half a megabyte of free stack where the recursion starts.

/// How much a segment may be used before the recursion moves on. The rest is for the levels between two looks.
const SEGMENT_USE: usize = 192 << 10;
const SEGMENT_SIZE: usize = 4 << 20;
/// Of a segment of our own, most may be used.
const OWN_SEGMENT_USE: usize = SEGMENT_SIZE - (512 << 10);

/// Where the current segment began, and how much of it may be used.
#[derive(Clone, Copy, Debug)]
pub struct Stack {
    base: usize,
    limit: usize,
}

impl Stack {
    /// The recursion starts here.
    #[inline]
    pub fn here() -> Self {
        Stack { base: address(), limit: SEGMENT_USE }
    }

    /// Has the recursion used what it may?
    #[inline(always)]
    pub fn is_used_up(&self) -> bool {
        self.base.abs_diff(address()) > self.limit
    }

    /// Runs `body` on a new segment, handing it the mark to carry on with.
    #[cold]
    pub fn grow<R>(body: impl FnOnce(Stack) -> R) -> R {
        stacker::grow(SEGMENT_SIZE, || body(Stack { base: address(), limit: OWN_SEGMENT_USE }))
    }
}

/// An address in the current frame.
#[inline(always)]
fn address() -> usize {
    let mark = 0u8;
    std::hint::black_box(&raw const mark) as usize
}
