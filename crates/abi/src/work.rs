//! Long computations of builtins: how much they work between two safepoints.
//!
//! Scripts share a thread. A builtin whose work grows with its arguments counts it in a [`Work`], which calls [`Cx::check`] about every
//! millisecond: it gives up the core after a time slice, and notices max_execution_time, cancellation and shutdown. Hazard: PHP code may
//! run there (destructors of what the collector finds), so no `RefCell` that PHP code can reach may be borrowed meanwhile.

use crate::{Cx, Res};

/// Units of work between two checks.
pub const UNITS: usize = 64 << 10;

/// Counts the work of a builtin. A unit is what takes a few nanoseconds: a byte that is hashed, a comparison of two numbers.
pub struct Work<'c> {
    cx: Option<&'c mut Cx>,
    done: usize,
}

impl<'c> Work<'c> {
    pub fn new(cx: &'c mut Cx) -> Work<'c> {
        Work { cx: Some(cx), done: 0 }
    }

    /// Work outside of any instance, which nobody interrupts.
    pub fn uninterrupted() -> Work<'static> {
        Work { cx: None, done: 0 }
    }

    /// So many units are done.
    #[inline]
    pub fn spend(&mut self, units: usize) -> Res<()> {
        self.done = self.done.saturating_add(units);
        if self.done < UNITS {
            return Ok(());
        }
        self.check()
    }

    #[cold]
    fn check(&mut self) -> Res<()> {
        self.done = 0;
        self.cx.as_mut().map_or(Ok(()), |cx| cx.check())
    }

    /// Work that cannot be counted, because one call of a library does it all.
    pub fn compute<T: Send + 'static>(&mut self, work: impl FnOnce() -> T + Send + 'static) -> T {
        match &mut self.cx {
            Some(cx) => cx.compute(work),
            None => work(),
        }
    }

    /// Gives `each` a long input in pieces, a unit a byte. A short input is one piece.
    pub fn pieces(&mut self, input: &[u8], mut each: impl FnMut(&[u8])) -> Res<()> {
        let mut rest = input;
        while let Some((piece, more)) = rest.split_at_checked(UNITS) {
            each(piece);
            self.spend(UNITS)?;
            rest = more;
        }
        each(rest);
        self.spend(rest.len())
    }
}
