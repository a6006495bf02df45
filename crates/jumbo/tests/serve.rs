//! A served site over HTTP: superglobals, heads, errors, uploads, limits, and that nothing stays between requests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn new(name: &str, files: &[(&str, &str)], options: &[&str]) -> Served {
        let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        // It may not be there yet.
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(&root).expect("a folder for the site");
        for (file, code) in files {
            std::fs::write(root.join(file), code).expect("written");
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_jumbo"))
            .arg("serve")
            .arg(&root)
            .args(["-n", "--listen", "127.0.0.1:0", "--executors", "2", "--path-cache-ms", "0"])
            .args(options)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        errors.read_line(&mut line).expect("the server says where it listens");
        let address = line.trim().rsplit('/').next().unwrap_or_default().to_owned();
        assert!(!address.is_empty(), "{line}");
        // What it logs later is of no interest, but the pipe must not fill up.
        std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
        Served { child, address }
    }

    /// Sends a whole request and reads until the connection ends.
    fn raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("connected");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str) -> String {
        self.raw(&format!("GET {path} HTTP/1.1\r\nHost: localhost:1\r\nCookie: c=d\r\nConnection: close\r\n\r\n"))
    }

    fn post(&self, path: &str, kind: &str, body: &str) -> String {
        let length = body.len();
        self.raw(&format!(
            "POST {path} HTTP/1.1\r\nHost: h\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        ))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It has served its purpose.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").map_or("", |(_, body)| body)
}

#[test]
fn requests() {
    let site = Served::new(
        "serve-requests",
        &[
            ("index.php", "<?php echo $_SERVER['REQUEST_URI'], '|', $_GET['a'] ?? '-', '|', $_COOKIE['c'], '|', $_SERVER['SCRIPT_NAME'];"),
            ("post.php", "<?php echo $_POST['x']['y'], '|', $_FILES['f']['name'] ?? '-', '|', $_FILES['f']['size'] ?? 0;"),
            ("head.php", "<?php header('HTTP/1.1 404 Gone fishing'); header('X-A: 1'); echo 'nothing';"),
            ("error.php", "<?php foo();"),
            (
                "state.php",
                "<?php function f() { static $n = 0; return ++$n; } class A { public static $x = 0; public $self; } define('K', 'k');
                 $GLOBALS['q'] = ($GLOBALS['q'] ?? 0) + 1; A::$x++; $a = new A; $a->self = $a; echo f(), A::$x, $q, K;",
            ),
            ("cwd.php", "<?php echo (include 'inc.php') + 1;"),
            ("inc.php", "<?php return 41;"),
        ],
        &[],
    );
    let index = site.get("/some/page?a=5");
    assert!(index.starts_with("HTTP/1.1 200 OK\r\n"), "{index}");
    assert!(index.to_ascii_lowercase().contains("content-type: text/html; charset=utf-8\r\n"), "{index}");
    assert_eq!(body(&index), "/some/page?a=5|5|d|/index.php");
    assert_eq!(body(&site.post("/post.php", "application/x-www-form-urlencoded", "x[y]=z")), "z|-|0");
    let parts = "--b\r\nContent-Disposition: form-data; name=\"x[y]\"\r\n\r\nw\r\n--b\r\nContent-Disposition: form-data; name=\"f\"; \
                 filename=\"n.txt\"\r\n\r\nabc\r\n--b--\r\n";
    assert_eq!(body(&site.post("/post.php", "multipart/form-data; boundary=b", parts)), "w|n.txt|3");
    let head = site.get("/head.php");
    assert!(head.starts_with("HTTP/1.1 404 Gone fishing\r\n") && head.to_ascii_lowercase().contains("x-a: 1\r\n"), "{head}");
    let error = site.get("/error.php");
    assert!(error.starts_with("HTTP/1.1 500 ") && body(&error).contains("under the number"), "{error}");
    for _ in 0..4 {
        assert_eq!(body(&site.get("/state.php")), "111k");
    }
    assert_eq!(body(&site.get("/cwd.php")), "42");
}

/// What a client sends never runs, unless allow_url_include says so.
#[test]
fn bodies_are_not_code() {
    let files = [
        ("input.php", "<?php var_dump(@include 'PHP://Input');"),
        ("filter.php", "<?php var_dump(@include 'php://filter/string.rot13|string.rot13/resource=php://input');"),
    ];
    let code = "<?php echo 'ran';";
    for (name, options, expected) in [
        ("serve-bodies", [].as_slice(), "bool(false)\n"),
        ("serve-bodies-allowed", ["-d", "allow_url_include=1", "-d", "display_errors=0"].as_slice(), "ranint(1)\n"),
    ] {
        let site = Served::new(name, &files, options);
        for page in ["/input.php", "/filter.php"] {
            assert_eq!(body(&site.post(page, "text/plain", code)), expected, "{name} {page}");
        }
    }
}

/// What scripts are told about the cache of compiled files is what it does, and they can make it forget.
#[test]
fn compiled_files() {
    let files = [
        (
            "do.php",
            "<?php
            $file = __DIR__ . '/part.php';
            switch ($_GET['do']) {
                case 'write': file_put_contents($file, '<?php return ' . (int) $_GET['n'] . ';'); echo 'written'; break;
                case 'run': echo include $file; break;
                case 'compile': var_dump(opcache_compile_file($file)); break;
                case 'forget': var_dump(opcache_invalidate('part.php', !empty($_GET['force']))); break;
                case 'reset': var_dump(opcache_reset()); break;
                case 'cached': var_dump(opcache_is_script_cached($file)); break;
                case 'off': ini_set('opcache.enable', 0); var_dump(opcache_reset(), opcache_get_status()['opcache_enabled']); break;
                case 'status':
                    $status = opcache_get_status();
                    $all = $status['opcache_statistics'];
                    $one = $status['scripts'][$file] ?? null;
                    $sum = array_sum(array_column($status['scripts'], 'memory_consumption'));
                    assert($status['opcache_enabled'] && count($status['scripts']) === $all['num_cached_scripts'] && $sum === $status['memory_usage']['used_memory']);
                    assert(!$one || $one['memory_consumption'] > 0 && abs($one['last_used_timestamp'] - time()) < 600);
                    echo $one['hits'] ?? '-', ' ', $all['manual_restarts'], ' ', $all['last_restart_time'] > 0 ? 'restarted' : 'not restarted', ' ',
                        isset(opcache_get_status(false)['scripts']) ? 'scripts' : 'no scripts';
                    break;
                case 'settings':
                    $directives = opcache_get_configuration()['directives'];
                    var_dump($directives['opcache.validate_timestamps'], $directives['opcache.revalidate_freq'], ini_get('opcache.validate_timestamps'));
                    break;
            }",
        ),
        ("part.php", "<?php return 1;"),
    ];
    // Files are not looked at again unless a script asks for it.
    let site = Served::new("serve-compiled", &files, &["-d", "opcache.validate_timestamps=0", "-d", "zend.assertions=1", "-d", "display_errors=1"]);
    let act = |what: &str| body(&site.get(&format!("/do.php?do={what}"))).to_owned();
    assert_eq!(act("settings"), "bool(false)\nint(2)\nstring(1) \"0\"\n");
    assert_eq!(act("cached"), "bool(false)\n");
    assert_eq!(act("status"), "- 0 not restarted no scripts");
    assert_eq!(act("run"), "1");
    assert_eq!((act("run"), act("cached"), act("status")), ("1".into(), "bool(true)\n".into(), "1 0 not restarted no scripts".into()));
    assert_eq!((act("write&n=2"), act("run")), ("written".into(), "1".into()));
    assert_eq!((act("forget"), act("cached"), act("run")), ("bool(true)\n".into(), "bool(false)\n".into(), "2".into()));
    assert_eq!((act("write&n=3"), act("off"), act("run")), ("written".into(), "bool(false)\nbool(false)\n".into(), "2".into()));
    assert_eq!((act("reset"), act("status")), ("bool(true)\n".into(), "- 1 restarted no scripts".into()));
    assert_eq!((act("compile"), act("status"), act("run")), ("bool(true)\n".into(), "0 1 restarted no scripts".into(), "3".into()));
    // A long trust, ended for files that have changed, and by force.
    let site = Served::new("serve-compiled-trusted", &files, &["-d", "opcache.revalidate_freq=3600", "-d", "zend.assertions=1", "-d", "display_errors=1"]);
    let act = |what: &str| body(&site.get(&format!("/do.php?do={what}"))).to_owned();
    assert_eq!(act("settings"), "bool(true)\nint(3600)\nstring(1) \"1\"\n");
    assert_eq!((act("run"), act("write&n=2"), act("cached"), act("run")), ("1".into(), "written".into(), "bool(true)\n".into(), "1".into()));
    assert_eq!((act("forget"), act("run"), act("forget"), act("status")), ("bool(true)\n".into(), "2".into(), "bool(true)\n".into(), "0 0 not restarted no scripts".into()));
    assert_eq!((act("forget&force=1"), act("status")), ("bool(true)\n".into(), "- 0 not restarted no scripts".into()));
}

/// A body that is complete before anything of it had to leave has a length, on whichever executor it was made.
#[test]
fn lengths() {
    let site = Served::new(
        "serve-lengths",
        &[
            ("pieces.php", "<?php for ($i = 0; $i < 100; $i++) { echo str_repeat('x', 1000); } "),
            ("late.php", "<?php echo 'a'; usleep(20000); echo 'b';"),
            ("flushed.php", "<?php echo 'a'; flush(); echo 'b';"),
            ("large.php", "<?php for ($i = 0; $i < 300; $i++) { echo str_repeat('x', 1000); } "),
        ],
        &[],
    );
    std::thread::scope(|threads| {
        for _ in 0..8 {
            threads.spawn(|| {
                for _ in 0..10 {
                    assert!(site.get("/pieces.php").to_ascii_lowercase().contains("\r\ncontent-length: 100000\r\n"));
                    assert!(site.get("/late.php").to_ascii_lowercase().contains("\r\ncontent-length: 2\r\n"));
                }
            });
        }
    });
    for path in ["/flushed.php", "/large.php"] {
        let answer = site.get(path).to_ascii_lowercase();
        assert!(answer.contains("\r\ntransfer-encoding: chunked\r\n"), "{}", &answer[..200.min(answer.len())]);
    }
}

#[test]
fn limits() {
    let site = Served::new(
        "serve-limits",
        &[("loop.php", "<?php $i = 0; while (true) { $i++; }"), ("quick.php", "<?php echo 'quick';"), ("sleep.php", "<?php usleep(500000); echo 'slept';")],
        &["-d", "max_execution_time=2", "--executors", "1"],
    );
    std::thread::scope(|scope| {
        let endless = scope.spawn(|| site.get("/loop.php"));
        // Time slices let others run on the one executor meanwhile.
        assert_eq!(body(&site.get("/quick.php")), "quick");
        assert!(endless.join().expect("no panic").starts_with("HTTP/1.1 500 "));
    });
    let before = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(body(&site.get("/sleep.php")), "slept"));
        }
    });
    // One after the other they would take four seconds.
    assert!(before.elapsed() < Duration::from_secs(3), "waiting requests hold the core");
}

/// Requests of one session follow each other, also on one executor; data is kept however a script ends.
#[test]
fn sessions() {
    let data = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("serve-sessions-data");
    // It may not be there yet.
    let _ = std::fs::remove_dir_all(&data);
    std::fs::create_dir_all(&data).expect("a folder for the sessions");
    let setting = format!("session.save_path={}", data.display());
    let site = Served::new(
        "serve-sessions",
        &[
            ("count.php", "<?php session_start(); $_SESSION['n'] = ($_SESSION['n'] ?? 0) + 1; usleep(20000); echo $_SESSION['n'];"),
            ("fatal.php", "<?php session_start(); $_SESSION['n'] += 100; foo();"),
            ("new.php", "<?php session_start(['cookie_samesite' => 'Lax', 'cookie_httponly' => 1]); echo session_id();"),
        ],
        &["-d", &setting],
    );
    let with = |path: &str| site.raw(&format!("GET {path} HTTP/1.1\r\nHost: h\r\nCookie: PHPSESSID=one\r\nConnection: close\r\n\r\n"));
    let mut counts: Vec<u32> = std::thread::scope(|scope| {
        let requests: Vec<_> = (0..8).map(|_| scope.spawn(|| body(&with("/count.php")).parse().expect("a number"))).collect();
        requests.into_iter().map(|r| r.join().expect("answered")).collect()
    });
    counts.sort_unstable();
    assert_eq!(counts, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert!(with("/fatal.php").starts_with("HTTP/1.1 500 "));
    assert_eq!(body(&with("/count.php")), "109");
    let new = site.get("/new.php");
    let cookie = format!("set-cookie: PHPSESSID={}; path=/; HttpOnly; SameSite=Lax\r\n", body(&new));
    assert!(new.to_ascii_lowercase().contains(&cookie.to_ascii_lowercase()), "{new}");
    assert!(new.to_ascii_lowercase().contains("cache-control: no-store, no-cache, must-revalidate\r\n"), "{new}");
}

#[test]
fn heads() {
    let site = Served::new(
        "serve-heads",
        &[
            ("length.php", "<?php header('Content-Length: 3'); echo 'abcdef';"),
            ("buffer.php", "<?php echo 'a'; header('X-A: 1'); echo headers_sent() ? 'sent' : 'open', ob_get_level();"),
        ],
        &["-d", "output_buffering=4096"],
    );
    // What a script prints counts, not what it announces.
    for _ in 0..2 {
        assert_eq!(body(&site.get("/length.php")), "abcdef");
    }
    let buffered = site.get("/buffer.php");
    assert!(buffered.to_ascii_lowercase().contains("x-a: 1\r\n"), "{buffered}");
    assert_eq!(body(&buffered), "aopen1");
}

/// Endless recursion, allocation and loops of all kinds: PHP's error, and nobody else notices.
#[test]
fn failures_stay_in_their_request() {
    let memory = "Allowed memory size of 33554432 bytes exhausted";
    let stack = "Infinite recursion?";
    let time = "Maximum execution time of 1 second exceeded";
    let endless = [
        ("recursion", "function f($n) { return f($n + 1) + 1; } f(0);", memory),
        ("native", "class A { function __toString(): string { return 'x' . new A; } } echo new A;", stack),
        ("map", "function g($x) { return array_map('g', [$x]); } g(1);", stack),
        ("alloc", "$a = []; while (true) { $a[] = str_repeat('x', 1000) . count($a); }", memory),
        ("concat", "$s = 'x'; while (true) { $s .= $s; }", memory),
        ("fibers", "function n() { $f = new Fiber(function () { n(); }); $f->start(); } n();", memory),
        ("generators", "function g() { yield from g(); } foreach (g() as $x) {}", memory),
        ("objects", "class D { public $d; } $d = null; while (true) { $n = new D; $n->d = $d; $d = $n; }", memory),
        ("huge", "str_repeat('x', 1 << 40);", memory),
        ("loop", "while (true) {}", time),
        ("calls", "function f($n) { return $n < 2 ? 1 : f($n - 1) + f($n - 2); } f(60);", time),
        ("callbacks", "array_map(function ($x) { while (true) { $x++; } }, [1]);", time),
        ("destructors", "class D { function __destruct() { new D; } } new D;", ""),
        ("clones", "class C { function __clone() { $x = clone $this; } } $c = clone new C;", stack),
    ];
    let mut files: Vec<(String, String)> =
        endless.iter().map(|(name, code, _)| (format!("{name}.php"), format!("<?php {code}"))).collect();
    files.push(("ok.php".into(), "<?php function f() { static $n = 0; return ++$n; } usleep(1000); echo f();".into()));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, code)| (name.as_str(), code.as_str())).collect();
    let options = ["-d", "memory_limit=32M", "-d", "max_execution_time=1", "-d", "display_errors=1", "-d", "html_errors=0"];
    let site = Served::new("serve-failures", &files, &options);
    let over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(std::sync::atomic::Ordering::Relaxed) {
                assert_eq!(body(&site.get("/ok.php")), "1");
            }
        });
        let failures: Vec<_> = endless
            .iter()
            .map(|(name, _, error)| (name, error, site.get(&format!("/{name}.php"))))
            .filter(|(_, error, answer)| !body(answer).contains(**error))
            .collect();
        over.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(failures.is_empty(), "{failures:#?}");
    });
    assert_eq!(body(&site.get("/ok.php")), "1");
}

/// Resident memory after many requests is that after a few.
#[test]
fn requests_leak_nothing() {
    let code = "<?php class N { public $o; public $s; }
        for ($i = 0; $i < 20; $i++) { $a = new N; $b = new N; $a->o = $b; $b->o = $a; $a->s = str_repeat('x', 1000); }
        function g() { try { yield 1; yield 2; } finally { $GLOBALS['done'] = true; } } foreach (g() as $v) { break; }
        $f = new Fiber(function () { Fiber::suspend(fopen('php://memory', 'w+')); }); $f->start();
        preg_match('/(\\w+)/', 'some text', $m); eval('function e' . random_int(0, 3) . '() {}'); ob_start(); echo json_encode($m); ob_end_flush();";
    let site = Served::new("serve-leaks", &[("page.php", code)], &["--executors", "1"]);
    let resident_kib = || -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", site.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:")).unwrap_or("0 kB");
        line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
    };
    let request = "GET /page.php HTTP/1.1\r\nHost: h\r\n\r\n";
    let many = |count: usize| {
        // Pipelined, the last one closing the connection.
        let mut all = request.repeat(count - 1);
        all.push_str("GET /page.php HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        assert_eq!(site.raw(&all).matches("HTTP/1.1 200 OK").count(), count);
    };
    many(300);
    let before = resident_kib();
    for _ in 0..7 {
        many(200);
    }
    let after = resident_kib();
    // 1,400 requests: a kilobyte each would show.
    assert!(after <= before + 1024, "{before} KiB became {after} KiB");
}
