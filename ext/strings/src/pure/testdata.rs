//! Reading the tables sampled from stock PHP: tab-separated fields, percent-encoded.

/// The lines of a table, split and decoded; empty lines and those that begin with `#` are left out.
pub fn rows(table: &str) -> impl Iterator<Item = Vec<Vec<u8>>> + '_ {
    let lines = table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split('\t').map(decode).collect())
}

fn decode(field: &str) -> Vec<u8> {
    super::url::raw_url_decode(field.as_bytes()).map_or_else(|_| panic!("no memory"), |text| text.to_vec())
}

/// Bytes as a failure message shows them.
pub fn show(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

/// A field as a number.
pub fn number<T: std::str::FromStr>(field: &[u8]) -> T {
    match std::str::from_utf8(field)
        .ok()
        .and_then(|text| text.parse().ok())
    {
        Some(number) => number,
        None => panic!("not a number: {}", show(field)),
    }
}

/// Compares many samples, and fails at its end with the first differences.
#[derive(Default)]
pub struct Samples {
    count: usize,
    differences: Vec<String>,
}

impl Samples {
    pub fn check(&mut self, found: impl ToString, expected: impl ToString, context: String) {
        self.count += 1;
        let (found, expected) = (found.to_string(), expected.to_string());
        if found != expected {
            self.differences
                .push(format!("{context}\n   found {found}\n   PHP   {expected}"));
        }
    }
}

impl Drop for Samples {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(self.count > 0, "no samples");
            let shown = &self.differences[..self.differences.len().min(8)];
            assert!(
                shown.is_empty(),
                "{} of {} differ:\n{}",
                self.differences.len(),
                self.count,
                shown.join("\n")
            );
        }
    }
}
