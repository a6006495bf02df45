//! What extensions see of the engine: the execution context [`Cx`], function and class descriptors, argument binding, PHP
//! errors, output, ini settings, waits. Knows no extension, and not how an opcode is executed.
//!
//! # Adding a builtin
//! 1. Declare it in the extension's `stubs/NAME.stub.php` as a PHP signature, in the file of its subject:
//!    ```php
//!    /** @foldable */
//!    function str_repeat(string $string, int $times): string {}
//!    ```
//! 2. Write the Rust function of the same name in the module named like the stub file (`str_repeat` in `stubs/string.stub.php` →
//!    `crate::string::str_repeat`):
//!    ```ignore
//!    pub fn str_repeat(cx: &mut Cx, string: &PStr, times: i64) -> Res<PStr> {
//!        if times < 0 {
//!            return Err(cx.arg_value_error(2, "must be greater than or equal to 0"));
//!        }
//!        …
//!    }
//!    ```
//!    Parameter types follow from the signature: `string` → `&PStr`, `int` → `i64`, `float` → `f64`, `bool` → `bool`, `array` →
//!    `&PArray`, `object` and classes → `&PObject`, `callable` → `&Callable`, `mixed` and unions → `&Value`, `&$x` → `&PRef`,
//!    `...$x` → `&[Value]` (by reference: each is a reference), `?T` and parameters without a default → `Option<…>`. Arguments are
//!    borrowed from the caller's frame, which holds a count on each for the whole call, so they may be kept across callbacks.
//!    The return type is anything that implements [`Ret`]: `Res<T>`, `T`, `Option<T>` (null), [`OrFalse<T>`].
//!    A method of class `ArrayIterator` declared in the stub is `crate::array_iterator::offset_get(cx, this: &PObject, …)`;
//!    static methods get `class: ClassPtr` (the called class) instead of `this`.
//!    The whole table stands in `xtask/src/generate/mod.rs`.
//! 3. `cargo xtask gen` writes the descriptors and adapters to `src/generated/`. A mismatch is a compile error.

pub mod args;
pub mod autoload;
pub mod blocking;
pub mod callable;
pub mod class;
pub mod compute;
pub mod cx;
pub mod declared;
pub mod desc;
pub mod engine;
pub mod error;
pub mod function;
pub mod ini;
pub mod inspect;
pub mod interruptible;
pub mod lazy;
pub mod link;
pub mod message;
pub mod mounts;
pub mod open_file;
pub mod output;
pub mod registry;
pub mod request;
pub mod ret;
pub mod stream;
mod threads;
pub mod throwable;
pub mod units;
pub mod wait;
pub mod work;

pub use args::Call;
pub use callable::Callable;
pub use class::{Class, ClassPtr};
pub use cx::Cx;
pub use desc::{ClassDesc, ClassHooks, ConstDesc, ConstValue, Extension, FnDesc, IniDesc, ParamDesc, TypeDesc};
pub use engine::Engine;
pub use error::{Level, Res, Stop, despite};
pub use function::{FnPtr, Function};
pub use message::Message;
pub use ret::{OrFalse, Ret};
pub use work::Work;

pub use jumbo_bytecode::types::{Type, mask};
pub use jumbo_bytecode::unit::{IncludeKind, class_flags, func_flags, member_flags};
pub use jumbo_value::{Key, KeyRef, PArray, PObject, PRef, PResource, PStr, Value, View};
