//! What the fuzz targets do with their input. A panic, a hang or memory beyond the limit is a find; everything else is an answer.

use jumbo_abi::Extension;
use jumbo_abi::output::Sink;
use jumbo_compile::SourceKind;
use jumbo_engine::{Instance, Script, Settings, units};
use jumbo_server::request::{self, BodyDecoder, Decoded, DecodedBody, InputLimits, Map, Tree};
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

/// The exit status of a script that was given a wrong answer.
const WRONG_ANSWER: i32 = 99;

static EXTENSIONS: &[&Extension] = &[
    &jumbo_ext_core::EXTENSION,
    &jumbo_interp::builtin::INTERP_CORE,
    &jumbo_ext_random::EXTENSION,
    &jumbo_ext_strings::EXTENSION,
    &jumbo_ext_arrays::EXTENSION,
    &jumbo_ext_misc::EXTENSION,
    &jumbo_ext_files::EXTENSION,
    &jumbo_ext_session::EXTENSION,
    &jumbo_ext_json::EXTENSION,
    &jumbo_ext_spl::EXTENSION,
    &jumbo_ext_mysqlnd::EXTENSION,
    &jumbo_ext_mysqli::EXTENSION,
    &jumbo_ext_date::EXTENSION,
    &jumbo_ext_zlib::EXTENSION,
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
        drop(units::compile(input, units::Place { file: b"/fuzz.php", directory: b"/" }, SourceKind::File, false, true, modes));
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

/// Runs dates.php over the input.
pub fn dates(input: &[u8]) {
    run("dates.php", input, 0);
}

/// Runs sessions.php over the input.
pub fn sessions(input: &[u8]) {
    run("sessions.php", input, 0);
}

/// Runs compressed.php over the input.
pub fn compressed(input: &[u8]) {
    run("compressed.php", input, 0);
}

/// A request's body: the first byte gives limits, the first line is its type. It is decoded as a whole and in pieces, which must be the
/// same but for the names of temporary files; none of these may stay. What the body is besides is read as a query and as cookies.
pub fn bodies(input: &[u8]) {
    let Some((&options, rest)) = input.split_first() else { return };
    let (content_type, body) = rest.split_at(rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()));
    let body = body.get(1..).unwrap_or_default();
    let limits = InputLimits {
        max_input_vars: if options & 1 == 0 { 1000 } else { 3 },
        max_input_nesting_level: if options & 2 == 0 { 64 } else { 2 },
        max_file_uploads: if options & 4 == 0 { 20 } else { 1 },
        upload_max_filesize: if options & 8 == 0 { 2 << 20 } else { 100 },
        body_memory_bytes_max: 1000,
        ..InputLimits::default()
    };
    let decode = |piece_bytes: usize| {
        let mut decoder = BodyDecoder::new(b"POST", content_type, None, &limits);
        for piece in body.chunks(piece_bytes) {
            decoder.push(piece).expect("temporary files can be written");
        }
        decoder.finish().expect("temporary files can be read")
    };
    let whole = decode(usize::MAX);
    let pieces = decode(1 + usize::from(options >> 4) * 3);
    assert_eq!(whole.len, pieces.len);
    let post = |decoded: &DecodedBody| decoded.post.decode(&decoded.raw, &limits).expect("temporary files can be read");
    let (whole_post, pieces_post) = (post(&whole), post(&pieces));
    assert!(same(&whole_post.variables, &pieces_post.variables) && same(&whole.files, &pieces.files), "{whole:?}\n{pieces:?}");
    let said = |decoded: &DecodedBody, post: &Decoded| {
        decoded.diagnostics.iter().chain(&post.diagnostics).map(|d| d.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(said(&whole, &whole_post), said(&pieces, &pieces_post));
    let raw = |decoded: &DecodedBody| decoded.raw.read_all().expect("the raw body can be read");
    assert_eq!(raw(&whole), raw(&pieces));
    drop(request::parse_query(body, &limits));
    drop(request::parse_cookies(body, &limits));
}

/// Are both the same, apart from names of temporary files?
fn same(one: &Map, other: &Map) -> bool {
    let temporary = std::env::temp_dir().into_os_string().into_encoded_bytes();
    let mut others = other.into_iter();
    let all = one.into_iter().all(|(key, value)| {
        others.next().is_some_and(|(other_key, other)| {
            key == other_key
                && match (value, other) {
                    (Tree::Node(a), Tree::Node(b)) => same(a, b),
                    (Tree::Leaf(a), Tree::Leaf(b)) => a == b || a.starts_with(&temporary) && b.starts_with(&temporary),
                    (a, b) => a == b,
                }
        })
    });
    all && others.next().is_none()
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
        assert_ne!(outcome.exit_status, WRONG_ANSWER, "the script found a wrong answer");
        instance.recycle();
    });
}
