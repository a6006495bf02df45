//! Prints the tokens of PHP files as `token_get_all()` has them, or with `--hash` one hash per file, to compare with PHP.
//! `--parse` is PHP's flag `TOKEN_PARSE`; files with errors have no tokens then.

use jumbo_syntax::{tokenize, tokenize_parsed};

fn main() -> std::io::Result<()> {
    let (mut hash, mut strict) = (false, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--hash" => {
                hash = true;
                continue;
            }
            "--parse" => {
                strict = true;
                continue;
            }
            _ => {}
        }
        let paths = match argument.strip_prefix('@') {
            Some(list) => std::fs::read_to_string(list)?.lines().map(str::to_string).collect(),
            None => vec![argument],
        };
        for path in paths {
            let source = std::fs::read(&path)?;
            let tokens: Vec<_> = if strict {
                tokenize_parsed(&source, false).map(Iterator::collect).unwrap_or_default()
            } else {
                tokenize(&source, false).collect()
            };
            let text: String = tokens
                .iter()
                .map(|token| {
                    format!("{} {} {}\n", token.kind.name(), token.line, token.span.end - token.span.start)
                })
                .collect();
            if hash {
                let fnv = text.bytes().fold(0xcbf29ce484222325u64, |h, b| (h ^ b as u64).wrapping_mul(0x100000001b3));
                println!("{path} {fnv:016x}");
            } else {
                print!("{text}");
            }
        }
    }
    Ok(())
}
