//! What the fuzz targets do with their input. A panic, a hang or memory beyond the limit is a find; everything else is an answer.

use jumbo_abi::Extension;
use jumbo_abi::output::Sink;
use jumbo_compile::SourceKind;
use jumbo_engine::{Instance, Script, Settings, units};
use jumbo_value::{Heap, MemoryLimit, Value};
use std::cell::RefCell;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::{Mutex, Once, OnceLock};
use std::time::Duration;

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
    &jumbo_ext_mysqlnd::EXTENSION,
    &jumbo_ext_mysqli::EXTENSION,
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
        let modes = units::Modes { assertions: true, multibyte: false, short_tags: true };
        drop(units::compile(input, b"/fuzz.php", SourceKind::File, false, true, modes));
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

/// Runs data.php over the input.
pub fn data(input: &[u8]) {
    run("data.php", input, 0);
}

/// Runs packets.php against a server that answers with the input.
pub fn packets(input: &[u8]) {
    static PORT: OnceLock<u16> = OnceLock::new();
    static SCRIPT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
    let port = *PORT.get_or_init(|| {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let script = SCRIPT.lock().map(|s| s.clone()).unwrap_or_default();
                // A client that has gone has heard enough.
                let _ = converse(client, &script);
            }
        });
        port
    });
    *SCRIPT.lock().expect("nobody panics here") = input.to_vec();
    run("packets.php", input, port);
}

/// What a server says: `script` is a list of packets, each a length and as many bytes. A packet without content waits for the client; the
/// numbers of the packets are right, so that the client reads on. A length of 255 is followed by bytes that are sent as they are.
fn converse(mut client: TcpStream, script: &[u8]) -> std::io::Result<()> {
    client.set_read_timeout(Some(Duration::from_millis(200)))?;
    client.set_nodelay(true)?;
    let mut number = 0u8;
    let mut rest = script.get(1..).unwrap_or_default();
    while let Some((&length, after)) = rest.split_first() {
        let raw = length == 255;
        let (content, after) = after.split_at(usize::from(if raw { 16 } else { length }).min(after.len()));
        rest = after;
        if length == 0 {
            let mut head = [0; 4];
            client.read_exact(&mut head)?;
            let mut body = vec![0; usize::from(head[0]) | usize::from(head[1]) << 8 | usize::from(head[2]) << 16];
            client.read_exact(&mut body)?;
            number = head[3].wrapping_add(1);
        } else if raw {
            client.write_all(content)?;
        } else {
            client.write_all(&[content.len() as u8, 0, 0, number])?;
            client.write_all(content)?;
            number = number.wrapping_add(1);
        }
    }
    Ok(())
}

/// Runs a program in one instance that is recycled.
fn run(script: &str, input: &[u8], port: u16) {
    thread_local! {
        static INSTANCE: RefCell<Option<Instance>> = const { RefCell::new(None) };
    }
    start();
    INSTANCE.with(|instance| {
        let mut instance = instance.borrow_mut();
        let instance = instance.get_or_insert_with(|| Instance::new(Box::new(Nowhere)).expect("an instance"));
        instance.set_sink(Box::new(Nowhere));
        instance.prepare(|cx| {
            jumbo_engine::instance::set_global(cx, "input", Value::bytes(input));
            jumbo_engine::instance::set_global(cx, "port", i64::from(port));
        });
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(script);
        let outcome = instance.run(&Script::File(script.into_os_string().into_encoded_bytes()));
        assert!(!outcome.panicked);
        instance.recycle();
    });
}
