//! The words that every entry of a stack trace is made of, made once.

use jumbo_value::string::SharedStr;
use std::sync::LazyLock;

macro_rules! words {
    ($($name:ident $text:literal;)*) => {
        /// Keys of entries, and the two values of `type`.
        pub struct Words {
            $(pub $name: SharedStr,)*
        }

        pub static WORDS: LazyLock<Words> = LazyLock::new(|| Words { $($name: SharedStr::new($text),)* });
    };
}
words! {
    file b"file";
    line b"line";
    function b"function";
    class b"class";
    object b"object";
    kind b"type";
    args b"args";
    on_object b"->";
    on_class b"::";
}
