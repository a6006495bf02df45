//! Whole sessions against servers of the test: what the command writes when servers are right, differ from each other, or break under load.

use serde_json::Value;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A server that answers the n-th request with this status and body; its URL.
fn serve(answer: impl Fn(u64) -> (u16, String) + Send + Sync + 'static) -> String {
    serve_raw(move |stream, n| {
        let (status, body) = answer(n);
        let text = format!("HTTP/1.1 {status} Said\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(text.as_bytes()).is_ok()
    })
}

/// A server that does this with the n-th request, and closes the connection if it says so; its URL.
fn serve_raw(answer: impl Fn(&mut TcpStream, u64) -> bool + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (answer, count) = (Arc::new(answer), Arc::new(AtomicU64::new(0)));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, answer, count) = (stream.unwrap(), answer.clone(), count.clone());
            std::thread::spawn(move || {
                stream.set_nodelay(true).unwrap();
                let (mut head, mut piece) = (Vec::new(), [0; 4096]);
                while let Ok(n @ 1..) = stream.read(&mut piece) {
                    head.extend_from_slice(&piece[..n]);
                    if head.ends_with(b"\r\n\r\n") {
                        head.clear();
                        if !answer(&mut stream, count.fetch_add(1, Ordering::SeqCst)) {
                            return;
                        }
                    }
                }
            });
        }
    });
    url
}

/// Runs the command on these servers; its exit status and the document.
fn measure(name: &str, engines: &[String], more: &[&str]) -> (i32, Value) {
    let folder = std::env::temp_dir().join(format!("jumbo-bench-session-{}-{name}", std::process::id()));
    let (json, html) = (folder.join("a.json"), folder.join("a.html"));
    let mut arguments: Vec<OsString> = ["run", "--root", "/", "--quick", "--quiet", "--clients", "4", "--duration", "0.2", "--runs", "2", "--warmup-max", "0.2"]
        .iter()
        .chain(more)
        .map(OsString::from)
        .collect();
    arguments.extend(["--engines".into(), engines.join(",").into(), "--json".into(), json.clone().into(), "--html".into(), html.clone().into()]);
    let status = jumbo_bench::command_line(arguments, None);
    let document = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    assert!(std::fs::read_to_string(&html).unwrap().ends_with("</html>\n"));
    std::fs::remove_dir_all(&folder).unwrap();
    (status, document)
}

#[test]
fn servers_that_agree_are_measured_in_turns() {
    let hello = || serve(|_| (200, "Hello".into()));
    let (status, document) = measure("agree", &[hello(), hello()], &[]);
    assert_eq!(status, 0);
    let cells = document["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 2);
    for cell in cells {
        assert!(cell["void"].is_null(), "{}", cell["void"]);
        assert_eq!(cell["runs"].as_array().unwrap().len(), 2);
        assert!(cell["summary"]["requests_per_second"]["mean"].as_f64().unwrap() > 0.0);
        assert!(cell["startup"]["first_answer_ms"].is_number() && cell["warmup"]["single_client"].is_object());
        assert_eq!(cell["runs"][0]["pages"][0]["bodies_compared"], cell["runs"][0]["sent"]);
    }
    assert_eq!(cells[1]["compared_with"], cells[0]["engine"]);
    let comparison = &document["comparisons"][0];
    assert_eq!((&comparison["engine"], &comparison["baseline"]), (&cells[1]["engine"], &cells[0]["engine"]));
    assert_eq!(comparison["ratios"]["requests_per_second"]["pairs"], 2);
    assert_eq!(document["canonical"], false);
    assert!(document["environment"]["kernel"].is_string() && document["settings"]["duration_s"] == 0.2);
}

#[test]
fn a_server_that_answers_differently_is_void() {
    let (status, document) = measure("differ", &[serve(|_| (200, "one\ntwo\n".into())), serve(|_| (200, "one\n2\n".into()))], &[]);
    assert_eq!(status, 0, "the other was measured");
    let reason = document["cells"][1]["void"].as_str().unwrap();
    assert!(reason.contains("differs from") && reason.contains("line 2: `2` is not `two`"), "{reason}");
    assert!(document["cells"][1]["summary"].is_null());
    assert_eq!(document["comparisons"], serde_json::json!([]));
}

#[test]
fn a_server_that_breaks_under_load_is_void() {
    let (status, document) = measure("break", &[serve(|n| if n == 60 { (503, "<p>Too <b>busy</b></p>".into()) } else { (200, "Hello".into()) })], &[]);
    assert_eq!(status, 1, "nothing was measured");
    let reason = document["cells"][0]["void"].as_str().unwrap();
    assert!(reason.contains("1 status"), "{reason}");
    let (_, document) = measure("broken", &[serve(|_| (500, "<h1>Fatal</h1>".into()))], &[]);
    let reason = document["cells"][0]["void"].as_str().unwrap();
    assert!(reason.contains("status 500, 200 was expected: Fatal"), "{reason}");
}

#[test]
fn bodies_that_vary_are_told_and_an_open_loop_keeps_its_rate() {
    let (_, document) = measure("vary", &[serve(|n| (200, format!("Hello {n}")))], &["--rate", "100"]);
    let cell = &document["cells"][0];
    assert!(cell["void"].is_null(), "{}", cell["void"]);
    assert!(cell["warnings"].as_array().unwrap().iter().any(|w| w.as_str().unwrap().contains("vary and are not compared")), "{}", cell["warnings"]);
    assert_eq!((&cell["rate"], &cell["runs"][0]["sent"]), (&serde_json::json!(100.0), &serde_json::json!(20)));
    assert!(cell["runs"][0]["service_ms"]["p50"].is_number());
}

/// One bad answer among good ones, in each way, and the figures of the whole cell count for nothing.
#[test]
fn each_way_of_lying_makes_the_cell_void() {
    const GOOD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHello";
    type Way = fn(&mut TcpStream) -> bool;
    let ways: [(&str, &str, Way); 5] = [
        ("body", "1 body", |stream| stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHellO").is_ok()),
        ("closed", "1 closed", |_| false),
        ("half", "1 closed", |stream| stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHe").is_err()),
        ("status", "1 status", |stream| stream.write_all(b"HTTP/1.1 500 No\r\nContent-Length: 5\r\n\r\nHello").is_ok()),
        ("trickle", "1 timeout", |stream| {
            GOOD.iter().all(|byte| {
                std::thread::sleep(std::time::Duration::from_millis(40));
                stream.write_all(std::slice::from_ref(byte)).is_ok()
            })
        }),
    ];
    for (name, expected, way) in ways {
        let url = serve_raw(move |stream, n| if n == 60 { way(stream) } else { stream.write_all(GOOD).is_ok() });
        let (status, document) = measure(name, &[url], &["--timeout", "1"]);
        assert_eq!(status, 1, "{name}");
        let reason = document["cells"][0]["void"].as_str().unwrap_or_default();
        assert!(reason.contains(expected), "{name}: {reason}");
    }
}
