//! Which requests begin when the core is busy. Nothing here looks at a clock: scripts count how many of them are in progress.

mod support;

use std::sync::atomic::Ordering;

use support::{Client, TestServer, eventually, start};

fn one_executor() -> TestServer {
    start(|config| config.executors = 1)
}

fn send(server: &TestServer, target: &str) -> Client {
    let mut client = server.connect();
    client.send(format!("GET {target} HTTP/1.1\r\nHost: test\r\n\r\n").as_bytes());
    client
}

#[test]
fn computing_requests_end_before_others_begin() {
    let server = one_executor();
    let mut clients: Vec<_> = (0..40)
        .map(|_| send(&server, "/compute.php?turns=8"))
        .collect();
    let mut answers: Vec<(usize, usize)> = clients
        .iter_mut()
        .map(|client| {
            let text = client.answer(false).unwrap().text();
            let (before, ended) = text.split_once(' ').unwrap();
            (before.parse().unwrap(), ended.parse().unwrap())
        })
        .collect();
    answers.sort_unstable();
    // In turns they would all be in progress at once, and end in one heap. A machine that is busy with other things may make
    // some look long, hence a few.
    let in_progress = server.events.in_progress_max.load(Ordering::SeqCst);
    assert!(in_progress <= 6, "{in_progress} in progress at once");
    for (before, ended) in answers {
        assert!(before.abs_diff(ended) <= 6, "number {before} was the {ended}th to end");
    }
}

#[test]
fn any_number_of_waiting_requests_is_in_progress() {
    let server = one_executor();
    let mut clients: Vec<_> = (0..200)
        .map(|_| send(&server, "/gate.php?n=200"))
        .collect();
    for client in &mut clients {
        assert_eq!(client.answer(false).unwrap().text(), "through");
    }
}

#[test]
fn quick_pages_get_through_beside_endless_computations() {
    let server = one_executor();
    let mut computing: Vec<_> = (0..5).map(|_| send(&server, "/forever.php")).collect();
    for _ in 0..50 {
        assert_eq!(server.get("/hello.php").text(), "hello");
    }
    eventually("all compute", || server.events.begun.load(Ordering::SeqCst) == 5);
    // Those that wait are not kept from beginning either.
    let mut waiting: Vec<_> = (0..20).map(|_| send(&server, "/gate.php?n=25")).collect();
    for client in &mut waiting {
        assert_eq!(client.answer(false).unwrap().text(), "through");
    }
    assert_eq!(server.events.ended.load(Ordering::SeqCst), 20);
    server.events.enough.store(true, Ordering::SeqCst);
    for client in &mut computing {
        assert_eq!(client.answer(false).unwrap().status, 200);
    }
}

#[test]
fn idle_executors_take_what_waits_for_busy_ones() {
    let server = start(|_| {});
    // One keep-alive connection stays with its executor, which computes for somebody else half of the time.
    let mut client = server.connect();
    let mut computing = send(&server, "/forever.php");
    eventually("it computes", || server.events.begun.load(Ordering::SeqCst) == 1);
    for _ in 0..50 {
        client.send(b"GET /hello.php HTTP/1.1\r\nHost: test\r\n\r\n");
        assert_eq!(client.answer(false).unwrap().text(), "hello");
    }
    server.events.enough.store(true, Ordering::SeqCst);
    assert_eq!(computing.answer(false).unwrap().status, 200);
}

#[test]
fn a_request_whose_client_has_gone_does_not_begin() {
    let server = start(|config| {
        config.executors = 1;
        config.in_flight_max = 1;
    });
    let mut computing = send(&server, "/forever.php");
    eventually("it computes", || server.events.begun.load(Ordering::SeqCst) == 1);
    let waiting = send(&server, "/compute.php");
    eventually("it waits", || server.running.metrics().queued == 1);
    drop(waiting);
    eventually("it is forgotten", || server.running.metrics().queued == 0);
    server.events.enough.store(true, Ordering::SeqCst);
    assert_eq!(computing.answer(false).unwrap().status, 200);
    assert_eq!(server.get("/hello.php").text(), "hello");
    assert_eq!(server.events.begun.load(Ordering::SeqCst), 1);
}

#[test]
fn held_executors_are_relieved() {
    let server = start(|config| config.executors = 2);
    assert_eq!(server.get("/hello.php").text(), "hello");
    let mut holding: Vec<_> = (0..2).map(|_| send(&server, "/hold.php")).collect();
    eventually("all are held", || server.events.begun.load(Ordering::SeqCst) == 2);
    // What is known to be quick, and what nobody knows.
    for target in ["/hello.php", "/compute.php", "/hello.php"] {
        assert_eq!(server.get(target).status, 200);
    }
    // Those that relieve may be held too.
    holding.push(send(&server, "/hold.php"));
    eventually("three are held", || server.events.begun.load(Ordering::SeqCst) == 4);
    assert_eq!(server.get("/hello.php").text(), "hello");
    server.events.enough.store(true, Ordering::SeqCst);
    for client in &mut holding {
        assert_eq!(client.answer(false).unwrap().text(), "held");
    }
    assert_eq!(server.get("/hello.php").text(), "hello");
}
