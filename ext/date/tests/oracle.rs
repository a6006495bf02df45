//! Runs the samples in `data/`, recorded from stock PHP (see `oracle/README.md`).

use jumbo_ext_date::core::oracle::answer;
use std::path::Path;

/// Calls `check` with the arguments, the input and PHP's answer of every record of a file.
fn records(path: &Path, mut check: impl FnMut(&[String], &[u8], &str)) {
    let text = std::fs::read(path).expect("a readable data file");
    let mut args: Vec<String> = Vec::new();
    let mut lines = text.split(|&b| b == b'\n');
    while let Some(line) = lines.next() {
        if let Some(words) = line.strip_prefix(b"# ") {
            args = String::from_utf8_lossy(words).split(' ').map(str::to_string).collect();
        } else if let Some(input) = line.strip_prefix(b"> ") {
            let expected = String::from_utf8_lossy(lines.next().expect("an answer behind each input"));
            check(&args, input, &expected);
        }
    }
}

fn data() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

#[test]
fn samples_agree_with_php() {
    let mut failures = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(data()).expect("the data folder") {
        let path = entry.expect("an entry of the data folder").path();
        if path.ends_with("known_differences.txt") {
            continue;
        }
        records(&path, |args, input, expected| {
            count += 1;
            let got = answer(args, input);
            if got != expected {
                failures.push(format!("{args:?} {}\n  PHP  {expected}\n  ours {got}", String::from_utf8_lossy(input)));
            }
        });
    }
    assert!(count > 2000, "only {count} records were read");
    assert!(failures.is_empty(), "{} of {count} differ:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn known_differences_still_differ() {
    records(&data().join("known_differences.txt"), |args, input, expected| {
        assert_ne!(answer(args, input), expected, "{args:?} {} agrees now", String::from_utf8_lossy(input));
    });
}
