//! RecursiveCachingIterator.

use super::caching;
pub use super::caching::{has_shown_children as has_children, shown_children as get_children};
use jumbo_abi::{ClassPtr, Cx, PObject, Res};

pub fn __construct(cx: &mut Cx, this: &PObject, iterator: &PObject, flags: i64) -> Res<()> {
    let base = cx.builtin_class(b"recursiveiterator");
    let class = ClassPtr::of(iterator);
    if !class.is_a(base) {
        let text = [
            b"RecursiveCachingIterator::__construct(): Argument #1 ($iterator) must be of type RecursiveIterator, ".as_slice(),
            class.name.as_bytes(),
            b" given",
        ]
        .concat();
        return Err(cx.type_error(text));
    }
    caching::construct_caching(cx, this, iterator, flags, true)
}
