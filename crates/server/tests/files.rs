//! Routing and static files, the hostile requests included.

mod support;

use support::{Folder, TestServer, start};

fn site() -> TestServer {
    let server = start(|_| {});
    server
        .root
        .file("style.css", "0123456789")
        .file("sub/index.html", "sub index")
        .file("app/index.php", "")
        .file("app/page.php", "")
        .file("empty/x.txt", "")
        .file("a b.txt", "space")
        .file("config.inc", "<?php secret")
        .file("old.php.bak", "<?php secret")
        .file("UPPER.PHP", "<?php secret")
        .file(".env", "secret")
        .file(".git/config", "secret")
        .file(".well-known/token", "token");
    server
}

fn check(server: &TestServer, target: &str, status: u16, text: &str) {
    let answer = server.get(target);
    assert_eq!(answer.status, status, "{target}: {}", answer.text());
    assert!(!answer.text().contains("secret"), "{target}");
    if !text.is_empty() {
        assert_eq!(answer.text(), text, "{target}");
    }
}

#[test]
fn routes() {
    let server = site();
    check(&server, "/style.css", 200, "0123456789");
    check(&server, "/a%20b.txt?x=1", 200, "space");
    check(&server, "/sub/", 200, "sub index");
    check(&server, "/app/", 200, "/app/index.php||");
    check(&server, "/app/page.php/x/y?q", 200, "/app/page.php|/x/y|q");
    check(&server, "/app/page.php/", 200, "/app/page.php|/|");
    check(&server, "/.well-known/token", 200, "token");
    check(&server, "/empty/", 403, "");
    check(&server, "/missing", 404, "");
    check(&server, "/missing.php", 404, "");
    check(&server, "/style.css/x", 404, "");
    check(&server, "/style.css/", 404, "");
    let answer = server.get("/sub?a=b");
    assert_eq!(
        (answer.status, answer.field("location").as_deref()),
        (301, Some("/sub/?a=b"))
    );
    let answer = server.get("//sub");
    assert_eq!(
        (answer.status, answer.field("location").as_deref()),
        (301, Some("/sub/"))
    );
    assert_eq!(server.request("POST", "/style.css", "", b"x").status, 405);
    assert_eq!(server.request("DELETE", "/style.css", "", b"").status, 405);
    server.root.file("index.php", "");
    std::thread::sleep(std::time::Duration::from_millis(50));
    check(&server, "/", 200, "/index.php||");
    check(&server, "/missing/page?a=1", 200, "/index.php||a=1");
    check(&server, "/index.php/missing", 200, "/index.php|/missing|");
    check(&server, "/.env", 200, "/index.php||");
}

#[test]
fn nothing_leaks() {
    let server = site();
    let outside = Folder::new();
    outside
        .file("secret.txt", "secret")
        .file("evil.php", "secret");
    std::os::unix::fs::symlink(outside.0.join("secret.txt"), server.root.0.join("link.txt"))
        .unwrap();
    std::os::unix::fs::symlink(&outside.0, server.root.0.join("linked")).unwrap();
    std::os::unix::fs::symlink(
        server.root.0.join("hello.php"),
        server.root.0.join("innocent.txt"),
    )
    .unwrap();
    std::os::unix::fs::symlink(
        server.root.0.join("style.css"),
        server.root.0.join("inner.css"),
    )
    .unwrap();
    let name = outside.0.file_name().unwrap().to_str().unwrap();
    for target in [
        "/link.txt",
        "/linked/secret.txt",
        "/linked/evil.php",
        "/innocent.txt",
        "/config.inc",
        "/old.php.bak",
        "/UPPER.PHP",
    ] {
        check(&server, target, 403, "");
    }
    for target in ["/.env", "/.git/config", "/.git/", "/hello.php%00.css"] {
        let status = server.get(target).status;
        assert!(status == 404 || status == 400, "{target}: {status}");
        check(&server, target, status, "");
    }
    for target in [
        format!("/../{name}/secret.txt"),
        format!("/%2e%2e/{name}/secret.txt"),
        format!("/..%2f{name}%2fsecret.txt"),
        format!("/sub/../../{name}/secret.txt"),
        format!("/sub/%2e%2e/%2E%2E/{name}/secret.txt"),
        format!("/./.././{name}/secret.txt"),
        "/%".into(),
        "/%f".into(),
        "*".into(),
    ] {
        check(&server, &target, 400, "");
    }
    for target in [
        format!("/..%5c{name}%5csecret.txt"),
        format!("/%252e%252e/{name}/secret.txt"),
    ] {
        check(&server, &target, 404, "");
    }
    check(&server, "/inner.css", 200, "0123456789");
    check(&server, "/sub/../style.css", 200, "0123456789");
}

#[test]
fn symlinks_on_purpose() {
    let outside = Folder::new();
    outside.file("shared.txt", "shared");
    let server = start(|config| config.follow_symlinks = true);
    std::os::unix::fs::symlink(outside.0.join("shared.txt"), server.root.0.join("link.txt"))
        .unwrap();
    check(&server, "/link.txt", 200, "shared");
}

#[test]
fn validators() {
    let server = site();
    let first = server.get("/style.css");
    let (etag, modified) = (
        first.field("etag").unwrap(),
        first.field("last-modified").unwrap(),
    );
    assert_eq!(first.field("content-type").as_deref(), Some("text/css"));
    assert_eq!(first.field("accept-ranges").as_deref(), Some("bytes"));
    assert_eq!(first.field("content-length").as_deref(), Some("10"));
    let status = |fields: String| server.request("GET", "/style.css", &fields, b"").status;
    assert!(etag.ends_with("-a\""), "{etag}");
    assert_eq!(status(format!("If-None-Match: {etag}\r\n")), 304);
    assert_eq!(status(format!("If-None-Match: \"x\", W/{etag}\r\n")), 304);
    assert_eq!(status("If-None-Match: *\r\n".into()), 304);
    assert_eq!(status("If-None-Match: \"x\"\r\n".into()), 200);
    assert_eq!(status(format!("If-Modified-Since: {modified}\r\n")), 304);
    assert_eq!(
        status("If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT\r\n".into()),
        200
    );
    assert_eq!(
        status(format!(
            "If-None-Match: \"x\"\r\nIf-Modified-Since: {modified}\r\n"
        )),
        200
    );
    assert_eq!(status(format!("If-Match: {etag}\r\n")), 200);
    assert_eq!(status("If-Match: \"x\"\r\n".into()), 412);
    assert_eq!(
        status("If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT\r\n".into()),
        412
    );
    let head = server.request("HEAD", "/style.css", "", b"");
    assert_eq!(
        (head.status, head.field("content-length").as_deref()),
        (200, Some("10"))
    );
    let not_modified = server.request(
        "GET",
        "/style.css",
        &format!("If-None-Match: {etag}\r\n"),
        b"",
    );
    assert_eq!(not_modified.field("etag"), Some(etag));
}

#[test]
fn ranges() {
    let server = site();
    let etag = server.get("/style.css").field("etag").unwrap();
    let get = |fields: &str| server.request("GET", "/style.css", fields, b"");
    let part = get("Range: bytes=2-4\r\n");
    assert_eq!((part.status, part.text().as_str()), (206, "234"));
    assert_eq!(part.field("content-range").as_deref(), Some("bytes 2-4/10"));
    assert_eq!(get("Range: bytes=-3\r\n").text(), "789");
    assert_eq!(get("Range: bytes=7-\r\n").text(), "789");
    let beyond = get("Range: bytes=10-\r\n");
    assert_eq!(
        (beyond.status, beyond.field("content-range").as_deref()),
        (416, Some("bytes */10"))
    );
    assert_eq!(get("Range: nonsense\r\n").status, 200);
    assert_eq!(
        get(&format!("Range: bytes=0-1\r\nIf-Range: {etag}\r\n")).status,
        206
    );
    assert_eq!(
        get("Range: bytes=0-1\r\nIf-Range: \"other\"\r\n").status,
        200
    );
    let multi = get("Range: bytes=0-1,8-9\r\n");
    let kind = multi.field("content-type").unwrap();
    let boundary = kind
        .strip_prefix("multipart/byteranges; boundary=")
        .unwrap();
    assert_eq!(
        multi.text(),
        format!(
            "\r\n--{boundary}\r\nContent-Type: text/css\r\nContent-Range: bytes 0-1/10\r\n\r\n01\r\n--{boundary}\r\n\
             Content-Type: text/css\r\nContent-Range: bytes 8-9/10\r\n\r\n89\r\n--{boundary}--\r\n"
        )
    );
    assert_eq!(
        multi.field("content-length"),
        Some(multi.body.len().to_string())
    );
}

#[test]
fn large_files() {
    let server = site();
    let content: Vec<u8> = (0..1_500_000u32).map(|n| (n % 253) as u8).collect();
    server.root.file("large.bin", &content);
    let whole = server.get("/large.bin");
    assert!(whole.complete && whole.body == content);
    assert_eq!(
        whole.field("content-type").as_deref(),
        Some("application/octet-stream")
    );
    let part = server.request("GET", "/large.bin", "Range: bytes=1000000-1299999\r\n", b"");
    assert!(part.body == content[1_000_000..1_300_000]);
    let multi = server.request(
        "GET",
        "/large.bin",
        "Range: bytes=0-9,1400000-1400009\r\n",
        b"",
    );
    assert!(
        multi.complete
            && multi
                .body
                .windows(10)
                .any(|w| w == &content[1_400_000..1_400_010])
    );
    assert_eq!(
        server
            .request("HEAD", "/large.bin", "", b"")
            .field("content-length")
            .as_deref(),
        Some("1500000")
    );
}

#[test]
fn changes_are_seen() {
    let server = site();
    server.root.file("note.txt", "one");
    assert_eq!(server.get("/note.txt").text(), "one");
    server.root.file("note.txt", "second");
    std::thread::sleep(std::time::Duration::from_millis(60));
    assert_eq!(server.get("/note.txt").text(), "second");
    std::fs::remove_file(server.root.0.join("note.txt")).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(60));
    assert_eq!(server.get("/note.txt").status, 404);
}
