//! The server seen from its clients: connections, bodies, limits, failures, stop.

mod support;

use std::io::Write;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use jumbo_server::{ListenAddress, ServerConfig};
use support::{eventually, start};

#[test]
fn keep_alive_and_close() {
    let server = start(|_| {});
    let mut client = server.connect();
    for _ in 0..3 {
        client.send(b"GET /hello.php HTTP/1.1\r\nHost: test\r\n\r\n");
        let answer = client.answer(false).unwrap();
        assert_eq!((answer.status, answer.text().as_str()), (200, "hello"));
        assert_eq!(answer.field("content-length").as_deref(), Some("5"));
        assert_eq!(
            answer.field("content-type").as_deref(),
            Some("text/html; charset=UTF-8")
        );
        assert_eq!(answer.field("server").as_deref(), Some("Jumbo"));
        assert!(answer.field("date").is_some());
    }
    client.send(b"GET /hello.php HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
    assert_eq!(
        client.answer(false).unwrap().field("connection").as_deref(),
        Some("close")
    );
    assert!(client.is_closed());
    let mut old = server.connect();
    old.send(b"GET /hello.php HTTP/1.0\r\n\r\n");
    assert_eq!(old.answer(false).unwrap().text(), "hello");
    assert!(old.is_closed());
}

#[test]
fn pipelining_keeps_the_order() {
    let server = start(|_| {});
    let mut client = server.connect();
    let mut requests = String::new();
    for n in 0..50 {
        let script = if n % 10 == 0 {
            "sleep.php?ms=20&"
        } else {
            "x?"
        };
        requests.push_str(&format!(
            "GET /{script}n={n} HTTP/1.1\r\nHost: test\r\n\r\n"
        ));
    }
    server.root.file("index.php", "");
    client.send(requests.as_bytes());
    for n in 0..50 {
        let expected = if n % 10 == 0 {
            "slept".to_owned()
        } else {
            format!("/index.php||n={n}")
        };
        assert_eq!(client.answer(false).unwrap().text(), expected);
    }
}

#[test]
fn chunked_both_ways() {
    let server = start(|_| {});
    let mut client = server.connect();
    client.send(b"POST /raw.php HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n");
    client.send(b"5\r\nhello\r\n7;ext=1\r\n, world\r\n0\r\nTrailer: x\r\n\r\n");
    assert_eq!(client.answer(false).unwrap().text(), "hello, world");
    // The length is known to the script although the client did not say it.
    client.send(b"POST /server.php HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
    assert!(
        client
            .answer(false)
            .unwrap()
            .text()
            .contains("\nCONTENT_LENGTH=3\n")
    );
    client.send(b"GET /chunks.php HTTP/1.1\r\nHost: test\r\n\r\n");
    let answer = client.answer(false).unwrap();
    assert_eq!(
        answer.text(),
        "piece 0\npiece 1\npiece 2\npiece 3\npiece 4\n"
    );
    assert_eq!(answer.chunks.len(), 5);
    assert!(answer.complete);
    // HTTP/1.0 knows no chunks: the connection's end is the body's.
    let mut old = server.connect();
    old.send(b"GET /chunks.php HTTP/1.0\r\n\r\n");
    let answer = old.answer(false).unwrap();
    assert_eq!(
        (answer.field("transfer-encoding"), answer.body.len()),
        (None, 40)
    );
}

#[test]
fn large_bodies_go_through_a_file() {
    let server = start(|config| config.input.body_memory_bytes_max = 1000);
    let body: Vec<u8> = (0..3_000_000u32).map(|n| (n % 251) as u8).collect();
    let answer = server.request("PUT", "/raw.php", "", &body);
    assert!(answer.body == body && answer.complete);
}

#[test]
fn expect_100_continue() {
    let server = start(|_| {});
    let mut client = server.connect();
    client.send(b"POST /raw.php HTTP/1.1\r\nHost: test\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
    std::thread::sleep(Duration::from_millis(50));
    client.send(b"abc");
    assert_eq!(client.answer(false).unwrap().text(), "abc");
}

#[test]
fn forms_and_uploads() {
    let server = start(|_| {});
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    let answer = server.request("POST", "/input.php", form, b"a%5Bb%5D[]=1&a[b][]=2&c.d=+x");
    assert_eq!(
        answer.text(),
        "a\n b\n  0=1\n  1=2\nc_d= x\nfiles\nraw 28\n"
    );
    let body = b"--b\r\nContent-Disposition: form-data; name=\"t\"\r\n\r\ntext\r\n--b\r\nContent-Disposition: \
                 form-data; name=\"f\"; filename=\"n.txt\"\r\nContent-Type: text/plain\r\n\r\nin\r\n--bfile\r\n--b--\r\n";
    let answer = server.request(
        "POST",
        "/input.php",
        "Content-Type: multipart/form-data; boundary=b\r\n",
        body,
    );
    let text = answer.text();
    assert!(
        text.contains(
            "t=text\nfiles\n f\n  name=n.txt\n  full_path=n.txt\n  type=text/plain\n  tmp_name="
        ),
        "{text}"
    );
    assert!(text.contains("  error:0\n  size:2\nraw 0\n"), "{text}");
    let path = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("tmp_name="))
        .unwrap();
    eventually("the uploaded file is deleted", || {
        !std::path::Path::new(path).exists()
    });
}

#[test]
fn server_variables() {
    let server = start(|config| {
        config.user = "www".into();
        config.home = "/home/www".into();
    });
    let fields = "X-B: 2\r\nx_bad: 1\r\nProxy: evil\r\nX-B: 3\r\nCookie: a=1\r\nCookie: b=2\r\nAuthorization: Basic dTpwOnc=\r\n";
    let answer = server.request("POST", "/server.php/in/fo?a=1&b", fields, b"abc");
    let root = server.root.0.display();
    let port = server.address.port();
    let text = answer.text();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("REMOTE_PORT="))
        .collect();
    let expected = format!(
        "USER=www\nHOME=/home/www\nHTTP_AUTHORIZATION=Basic dTpwOnc=\nHTTP_COOKIE=a=1; b=2\nHTTP_X_B=2, 3\n\
         HTTP_CONTENT_LENGTH=3\nHTTP_HOST=test\nREDIRECT_STATUS=200\nSERVER_NAME=test\nSERVER_PORT={port}\n\
         SERVER_ADDR=127.0.0.1\nREMOTE_ADDR=127.0.0.1\nSERVER_SOFTWARE=Jumbo/0.1.0\nGATEWAY_INTERFACE=CGI/1.1\n\
         REQUEST_SCHEME=http\nSERVER_PROTOCOL=HTTP/1.1\nDOCUMENT_ROOT={root}\nDOCUMENT_URI=/server.php/in/fo\n\
         REQUEST_URI=/server.php/in/fo?a=1&b\nSCRIPT_NAME=/server.php\nCONTENT_LENGTH=3\nCONTENT_TYPE=\n\
         REQUEST_METHOD=POST\nQUERY_STRING=a=1&b\nSCRIPT_FILENAME={root}/server.php\nPATH_INFO=/in/fo\n\
         FCGI_ROLE=RESPONDER\nPHP_SELF=/server.php/in/fo\nPHP_AUTH_USER=u\nPHP_AUTH_PW=p:w\n\
         REQUEST_TIME_FLOAT=float\nREQUEST_TIME=int"
    );
    assert_eq!(lines, expected.lines().collect::<Vec<_>>());
}

#[test]
fn heads_of_scripts() {
    let server = start(|_| {});
    let answer = server.get("/status.php");
    assert!(
        answer.head.starts_with("HTTP/1.1 404 Not Here\n"),
        "{}",
        answer.head
    );
    assert_eq!(answer.fields("set-cookie"), ["a=1", "b=2"]);
    assert_eq!(answer.field("x-one").as_deref(), Some("1"));
    for absent in ["transfer-encoding", "connection", "injected", "x-split"] {
        assert_eq!(answer.field(absent), None, "{absent}");
    }
    let head = server.request("HEAD", "/hello.php", "", b"");
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[test]
fn failures_cost_one_request() {
    let server = start(|_| {});
    let mut client = server.connect();
    for script in ["panic.php", "panic_at_once.php", "silent.php"] {
        client.send(format!("GET /{script} HTTP/1.1\r\nHost: test\r\n\r\n").as_bytes());
        assert_eq!(client.answer(false).unwrap().status, 500, "{script}");
        client.send(b"GET /hello.php HTTP/1.1\r\nHost: test\r\n\r\n");
        assert_eq!(client.answer(false).unwrap().text(), "hello");
    }
    let answer = server.get("/panic_late.php");
    assert_eq!(
        (answer.status, answer.text().as_str(), answer.complete),
        (200, "begun", false)
    );
    assert_eq!(server.running.metrics().failed, 3);
    eventually("no request is left in flight", || {
        server.running.metrics().in_flight == 0
    });
}

#[test]
fn a_client_that_goes_away_is_noticed() {
    let server = start(|_| {});
    let mut client = server.connect();
    client.send(b"GET /wait_gone.php HTTP/1.1\r\nHost: test\r\n\r\n");
    eventually("the script runs", || {
        server.running.metrics().in_flight == 1
    });
    drop(client);
    eventually("the script notices", || {
        server.events.gone.load(Ordering::SeqCst) == 1
    });
}

#[test]
fn a_slow_reader_holds_its_script_back() {
    let server = start(|_| {});
    let mut client = server.connect();
    client.send(b"GET /endless.php HTTP/1.1\r\nHost: test\r\n\r\n");
    std::thread::sleep(Duration::from_millis(300));
    let first = server.events.written.load(Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(server.events.written.load(Ordering::SeqCst), first);
    assert!(first > 0);
    drop(client);
    eventually("the script ends", || {
        server.events.gone.load(Ordering::SeqCst) == 1
    });
}

#[test]
fn finish_lets_the_script_go_on() {
    let server = start(|_| {});
    let begun = Instant::now();
    let answer = server.get("/finish.php");
    assert_eq!(answer.text(), "early");
    assert!(begun.elapsed() < Duration::from_millis(140));
    assert_eq!(server.events.after_finish.load(Ordering::SeqCst), 0);
    eventually("it goes on", || {
        server.events.after_finish.load(Ordering::SeqCst) == 1
    });
}

#[test]
fn a_thousand_sleepers_on_two_executors() {
    let server = start(|_| {});
    let begun = Instant::now();
    let mut clients: Vec<_> = (0..1000).map(|_| server.connect()).collect();
    for client in &mut clients {
        client.send(b"GET /sleep.php?ms=500 HTTP/1.1\r\nHost: test\r\n\r\n");
    }
    for client in &mut clients {
        assert_eq!(client.answer(false).unwrap().text(), "slept");
    }
    // One after the other they would take 500 seconds. The bound is loose: the machine may be busy.
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn computing_requests_spread_over_the_executors() {
    let server = start(|_| {});
    // Both connections may be of one executor: the second request has to move then.
    let mut names = Vec::new();
    let mut clients: Vec<_> = (0..6).map(|_| server.connect()).collect();
    for client in &mut clients {
        client.send(b"GET /busy.php?ms=300 HTTP/1.1\r\nHost: test\r\n\r\n");
        std::thread::sleep(Duration::from_millis(20));
    }
    for client in &mut clients {
        names.push(client.answer(false).unwrap().text());
    }
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn limits_of_heads() {
    let server = start(|config| config.head_bytes_max = 8192);
    let long = "x".repeat(9000);
    let mut client = server.connect();
    client.send(format!("GET /hello.php HTTP/1.1\r\nHost: test\r\nX: {long}\r\n\r\n").as_bytes());
    assert_eq!(client.answer(false).unwrap().status, 431);
    assert!(client.is_closed());
    let many: String = (0..150).map(|n| format!("X-{n}: 1\r\n")).collect();
    assert_eq!(server.request("GET", "/hello.php", &many, b"").status, 431);
    let mut client = server.connect();
    client.send(b"nonsense\r\n\r\n");
    assert_eq!(client.answer(false).unwrap().status, 400);
    for host in ["", "Host: a\r\nHost: b\r\n"] {
        let mut client = server.connect();
        client.send(format!("GET /hello.php HTTP/1.1\r\n{host}\r\n").as_bytes());
        assert_eq!(client.answer(false).unwrap().status, 400);
    }
}

#[test]
fn limits_of_bodies() {
    let server = start(|config| config.body_bytes_max = 1000);
    let mut client = server.connect();
    client.send(b"POST /raw.php HTTP/1.1\r\nHost: test\r\nContent-Length: 2000000\r\n\r\n");
    assert_eq!(client.answer(false).unwrap().status, 413);
    // A client that sends all of it anyway still gets to read the answer.
    assert_eq!(
        server
            .request("POST", "/raw.php", "", &vec![b'x'; 2_000_000])
            .status,
        413
    );
    let mut client = server.connect();
    client.send(b"POST /raw.php HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n");
    client.send(format!("7d0\r\n{}\r\n0\r\n\r\n", "x".repeat(2000)).as_bytes());
    assert_eq!(client.answer(false).unwrap().status, 413);
    assert!(client.is_closed());
}

#[test]
fn slow_clients() {
    let server = start(|config| {
        config.head_timeout_ms = 200;
        config.body_timeout_ms = 200;
        config.keep_alive_timeout_ms = 300;
    });
    let mut head = server.connect();
    head.send(b"GET /hello.php HTTP/1.1\r\nHo");
    assert_eq!(head.answer(false).unwrap().status, 408);
    let mut body = server.connect();
    body.send(b"POST /raw.php HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\nabc");
    assert_eq!(body.answer(false).unwrap().status, 408);
    let mut drip = server.connect();
    drip.send(b"POST /raw.php HTTP/1.1\r\nHost: test\r\nContent-Length: 6\r\n\r\n");
    for byte in b"slowly".chunks(1) {
        std::thread::sleep(Duration::from_millis(80));
        drip.send(byte);
    }
    assert_eq!(drip.answer(false).unwrap().text(), "slowly");
    // An idle connection is closed without a word.
    assert!(drip.answer(false).is_none());
    let mut sleeper = server.connect();
    sleeper.send(b"GET /sleep.php?ms=700 HTTP/1.1\r\nHost: test\r\n\r\n");
    assert_eq!(
        sleeper.answer(false).unwrap().text(),
        "slept",
        "a script may take longer than any client"
    );
}

#[test]
fn a_client_that_takes_nothing_is_dropped() {
    let server = start(|config| config.send_timeout_ms = 200);
    let mut client = server.connect();
    client.send(b"GET /endless.php HTTP/1.1\r\nHost: test\r\n\r\n");
    eventually("the script is told", || {
        server.events.gone.load(Ordering::SeqCst) == 1
    });
}

#[test]
fn overload_is_shed() {
    let server = start(|config| {
        config.in_flight_max = 2;
        config.queue_len_max = 2;
        config.queue_wait_ms_max = 2_000;
    });
    let send = |ms: u32| {
        let mut client = server.connect();
        client.send(format!("GET /sleep.php?ms={ms} HTTP/1.1\r\nHost: test\r\n\r\n").as_bytes());
        client
    };
    let mut running = [send(500), send(500)];
    eventually("both run", || server.running.metrics().in_flight == 2);
    let mut waiting = [send(1), send(1)];
    eventually("both wait", || server.running.metrics().queued == 2);
    let answer = server.get("/hello.php");
    assert_eq!(
        (answer.status, answer.field("retry-after").as_deref()),
        (503, Some("1"))
    );
    assert_eq!(
        running
            .each_mut()
            .map(|client| client.answer(false).unwrap().status),
        [200, 200]
    );
    assert_eq!(
        waiting
            .each_mut()
            .map(|client| client.answer(false).unwrap().status),
        [200, 200]
    );
    assert_eq!(server.running.metrics().shed, 1);
}

#[test]
fn the_queue_has_a_time_limit() {
    let server = start(|config| {
        config.in_flight_max = 1;
        config.queue_wait_ms_max = 100;
    });
    let mut first = server.connect();
    first.send(b"GET /sleep.php?ms=800 HTTP/1.1\r\nHost: test\r\n\r\n");
    eventually("it runs", || server.running.metrics().in_flight == 1);
    assert_eq!(server.get("/hello.php").status, 503);
    assert_eq!(first.answer(false).unwrap().status, 200);
}

#[test]
fn too_many_connections() {
    let server = start(|config| config.connections_max = Some(3));
    let mut held: Vec<_> = (0..3).map(|_| server.connect()).collect();
    for client in &mut held {
        client.send(b"GET /sleep.php?ms=1000 HTTP/1.1\r\nHost: test\r\n\r\n");
    }
    eventually("all run", || server.running.metrics().in_flight == 3);
    assert_eq!(server.connect().answer(false).unwrap().status, 503);
    for client in &mut held {
        assert_eq!(client.answer(false).unwrap().status, 200);
    }
    held.pop();
    eventually("a place is free", || {
        server.running.metrics().connections == 2
    });
    assert_eq!(server.get("/hello.php").status, 200);
}

#[test]
fn the_oldest_idle_connection_gives_its_place_away() {
    let server = start(|config| {
        config.connections_max = Some(3);
        // Each executor knows the age of its own connections alone.
        config.executors = 1;
    });
    let mut idle: Vec<_> = (0..3).map(|_| server.connect()).collect();
    for client in &mut idle {
        client.send(b"GET /hello.php HTTP/1.1\r\nHost: test\r\n\r\n");
        assert_eq!(client.answer(false).unwrap().status, 200);
    }
    assert_eq!(server.get("/hello.php").status, 200);
    assert!(idle[0].is_closed());
    idle[2].send(b"GET /hello.php HTTP/1.1\r\nHost: test\r\n\r\n");
    assert_eq!(idle[2].answer(false).unwrap().status, 200);
}

#[test]
fn a_stop_is_graceful() {
    let server = start(|_| {});
    let mut idle = server.connect();
    idle.send(b"GET /hello.php HTTP/1.1\r\nHost: test\r\n\r\n");
    idle.answer(false).unwrap();
    let mut busy = server.connect();
    busy.send(b"GET /sleep.php?ms=400 HTTP/1.1\r\nHost: test\r\n\r\n");
    eventually("it runs", || server.running.metrics().in_flight == 1);
    server.running.stop();
    assert!(idle.is_closed());
    let answer = busy.answer(false).unwrap();
    assert_eq!(
        (
            answer.text().as_str(),
            answer.field("connection").as_deref()
        ),
        ("slept", Some("close"))
    );
    server.running.join().unwrap();
    assert!(std::net::TcpStream::connect(server.address).is_err());
}

#[test]
fn a_stop_does_not_wait_for_ever() {
    let server = start(|config| config.stop_timeout_ms = 200);
    let mut client = server.connect();
    client.send(b"GET /sleep.php?ms=60000 HTTP/1.1\r\nHost: test\r\n\r\n");
    eventually("it runs", || server.running.metrics().in_flight == 1);
    let begun = Instant::now();
    server.running.stop();
    server.running.join().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn access_log_lines() {
    let folder = support::Folder::new();
    let path = folder.0.join("access.log");
    let server = start(|config| config.access_log = Some(path.clone()));
    server.request(
        "GET",
        "/hello.php?a=%22",
        "Referer: http://x/\r\nUser-Agent: a\"b\\\r\n",
        b"",
    );
    server.get("/missing");
    server.running.stop();
    server.running.join().unwrap();
    let log = std::fs::read_to_string(path).unwrap();
    let line = log.lines().find(|line| line.contains("hello.php")).unwrap();
    assert!(line.starts_with("127.0.0.1 - - ["), "{line}");
    assert!(
        line.contains(
            "+0000] \"GET /hello.php?a=%22 HTTP/1.1\" 200 5 \"http://x/\" \"a\\x22b\\x5C\" "
        ),
        "{line}"
    );
    assert!(log.contains("\"GET /missing HTTP/1.1\" 404 "), "{log}");
}

#[test]
fn unix_sockets() {
    let folder = support::Folder::new();
    let path = folder.0.join("jumbo.sock");
    let address = ListenAddress::Unix(path.clone());
    let server = start(|config| config.listen = vec![address.clone()]);
    let mut stream = UnixStream::connect(&path).unwrap();
    stream
        .write_all(b"GET /hello.php HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    std::io::Read::read_to_string(&mut stream, &mut answer).unwrap();
    assert!(answer.ends_with("\r\n\r\nhello"), "{answer}");
    server.running.stop();
    server.running.join().unwrap();
    assert!(!path.exists());
}

#[test]
fn one_socket_per_executor() {
    let server = start(|config| config.reuse_port = true);
    for _ in 0..20 {
        assert_eq!(server.get("/hello.php").text(), "hello");
    }
}

#[test]
fn router_scripts() {
    let folder = support::Folder::new();
    folder.file("router.php", "");
    let server = start(|config| config.router_script = Some(folder.0.join("router.php")));
    server.root.file("style.css", "css");
    assert_eq!(server.get("/routed/x").text(), "by the router");
    assert_eq!(server.get("/style.css").text(), "css");
    assert_eq!(
        server.request("POST", "/raw.php", "", b"kept").text(),
        "kept"
    );
}

#[test]
fn error_log_hook() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = lines.clone();
    let server = start(|config: &mut ServerConfig| {
        config.error_log = Arc::new(move |line| kept.lock().unwrap().push(line.to_owned()));
    });
    server.get("/panic.php");
    server.get("/status.php");
    let lines = lines.lock().unwrap();
    assert!(
        lines
            .iter()
            .any(|line| line == "a request failed with an internal error: later"),
        "{lines:?}"
    );
    assert!(
        lines
            .iter()
            .any(|line| line.contains("\"Bad Name\" is no header name")),
        "{lines:?}"
    );
}
