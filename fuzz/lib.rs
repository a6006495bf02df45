//! What the fuzz targets do with their input. A panic, a hang or memory beyond the limit is a find; everything else is an answer.

use jumbo_abi::Extension;
use jumbo_abi::output::Sink;
use jumbo_compile::SourceKind;
use jumbo_engine::{Instance, Script, Settings, units};
use jumbo_value::{Heap, MemoryLimit, Value};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::Once;

/// Of the request heap; the fuzzer itself bounds the process.
const MEMORY_LIMIT: usize = 64 << 20;

static EXTENSIONS: &[&Extension] = &[
    &jumbo_ext_core::EXTENSION,
    &jumbo_interp::builtin::INTERP_CORE,
    &jumbo_ext_random::EXTENSION,
    &jumbo_ext_strings::EXTENSION,
    &jumbo_ext_arrays::EXTENSION,
    &jumbo_ext_misc::EXTENSION,
    &jumbo_ext_json::EXTENSION,
    &jumbo_ext_spl::EXTENSION,
];

fn start() {
    static START: Once = Once::new();
    START.call_once(|| {
        let ini = [("memory_limit", MEMORY_LIMIT.to_string()), ("display_errors", "0".into()), ("log_errors", "0".into())];
        let ini = ini.map(|(name, value)| (name.as_bytes().to_vec(), value.into_bytes())).into();
        assert!(jumbo_engine::start(EXTENSIONS, Settings { sapi: "cli", ini, ..Settings::default() }));
    });
}

/// Tokens, tree, bytecode, verified.
pub fn source(input: &[u8]) {
    start();
    let heap = Heap::new();
    heap.set_limit(MEMORY_LIMIT);
    let _guard = heap.enter();
    let answer = catch_unwind(AssertUnwindSafe(|| {
        drop(jumbo_syntax::tokenize(input, true));
        drop(units::compile(input, b"/fuzz.php", SourceKind::File, false, true, true));
    }));
    if let Err(panic) = answer
        && !panic.is::<MemoryLimit>()
    {
        resume_unwind(panic);
    }
}

struct Nowhere;

impl Sink for Nowhere {
    fn write(&mut self, _bytes: &[u8]) {}
}

/// Runs data.php over the input, in one instance that is recycled.
pub fn data(input: &[u8]) {
    thread_local! {
        static INSTANCE: RefCell<Option<Instance>> = const { RefCell::new(None) };
    }
    start();
    INSTANCE.with(|instance| {
        let mut instance = instance.borrow_mut();
        let instance = instance.get_or_insert_with(|| Instance::new(Box::new(Nowhere)).expect("an instance"));
        instance.set_sink(Box::new(Nowhere));
        instance.prepare(|cx| jumbo_engine::instance::set_global(cx, "input", Value::bytes(input)));
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data.php");
        let outcome = instance.run(&Script::File(script.into_os_string().into_encoded_bytes()));
        assert!(!outcome.panicked);
        instance.recycle();
    });
}
