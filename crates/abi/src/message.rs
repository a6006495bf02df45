//! Texts of errors and warnings, as [`Cx::raise`](crate::Cx::raise), [`Cx::warning`](crate::Cx::warning), [`Cx::throw`](crate::Cx::throw) and
//! their like take them.
//!
//! A piece of a text may be a string of the script, of any size. So pieces are put together here alone, in memory that counts against
//! memory_limit: callers pass an array of pieces or `format_args!`, and not what they have put together themselves.

use jumbo_value::{OutOfMemory, PStr, PStrBuilder};
use std::borrow::Cow;

/// A text in one piece, or in several.
pub trait Message {
    fn append_to(&self, out: &mut PStrBuilder) -> Result<(), OutOfMemory>;
    /// The text, if it stands in one piece.
    fn whole(&self) -> Option<&[u8]>;
    /// How long a text of several pieces is, as far as that is known before.
    fn len_hint(&self) -> usize {
        self.whole().map_or(0, <[u8]>::len)
    }
    /// The text as a string of the request heap.
    fn to_str(&self) -> Result<PStr, OutOfMemory> {
        let mut text = PStrBuilder::with_capacity(self.len_hint())?;
        self.append_to(&mut text)?;
        Ok(text.finish())
    }
}

/// Gives `then` the text in one piece.
pub(crate) fn with_whole<T>(message: &impl Message, then: impl FnOnce(&[u8]) -> T) -> Result<T, OutOfMemory> {
    match message.whole() {
        Some(text) => Ok(then(text)),
        None => Ok(then(&message.to_str()?)),
    }
}

macro_rules! whole {
    ($([$($generics:tt)*] $type:ty),* $(,)?) => {$(
        impl<$($generics)*> Message for $type {
            fn append_to(&self, out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
                out.extend(self.as_ref())
            }
            fn whole(&self) -> Option<&[u8]> {
                Some(self.as_ref())
            }
        }
    )*};
}

whole!([] str, [] String, [] [u8], [] Vec<u8>, [] PStr, [const N: usize] [u8; N]);

impl Message for Cow<'_, [u8]> {
    fn append_to(&self, out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
        out.extend(self)
    }
    fn whole(&self) -> Option<&[u8]> {
        Some(self)
    }
}

impl<M: Message + ?Sized> Message for &M {
    fn append_to(&self, out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
        (**self).append_to(out)
    }
    fn whole(&self) -> Option<&[u8]> {
        (**self).whole()
    }
    fn len_hint(&self) -> usize {
        (**self).len_hint()
    }
}

impl<const N: usize> Message for [&[u8]; N] {
    fn append_to(&self, out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
        self.as_slice().append_to(out)
    }
    fn whole(&self) -> Option<&[u8]> {
        None
    }
    fn len_hint(&self) -> usize {
        self.as_slice().len_hint()
    }
}

impl Message for [&[u8]] {
    fn append_to(&self, out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
        self.iter().try_for_each(|piece| out.extend(piece))
    }
    fn whole(&self) -> Option<&[u8]> {
        None
    }
    fn len_hint(&self) -> usize {
        self.iter().map(|piece| piece.len()).sum()
    }
}

impl Message for std::fmt::Arguments<'_> {
    fn append_to(&self, out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
        out.write_fmt(*self)
    }
    fn whole(&self) -> Option<&[u8]> {
        self.as_str().map(str::as_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_one_text() {
        let name = PStr::new(b"name");
        let texts = [
            [b"of ".as_slice(), &name, b"!"].to_str(),
            format_args!("of {}!", name.to_string_lossy()).to_str(),
            "of name!".to_str(),
            (&b"of name!").to_str(),
        ];
        for text in texts {
            assert_eq!(text.unwrap().as_bytes(), b"of name!");
        }
    }
}
