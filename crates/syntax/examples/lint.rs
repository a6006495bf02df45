//! Checks the syntax of PHP files, as `php -l` does, or measures how fast that is.
//!
//! `lint FILE...` prints one line per file: `path: OK`, or the line and the error. `lint @LIST` reads the paths from a file,
//! one per line. `lint --time FILE...` parses everything several times and prints megabytes per second; `--lex` only lexes.

use std::io::Write;
use std::time::Instant;

use bumpalo::Bump;
use jumbo_syntax::{LexMode, Lexer, ParseOptions, SyntaxErrorKind, TokenKind, parse};

fn main() -> std::io::Result<()> {
    let (mut time, mut lex) = (false, false);
    let mut paths = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.strip_prefix('@') {
            None if argument == "--lex" => lex = true,
            Some(list) => paths.extend(std::fs::read_to_string(list)?.lines().map(str::to_string)),
            None if argument == "--time" => time = true,
            None => paths.push(argument),
        }
    }
    if time || lex { measure(&paths, lex) } else { lint(&paths) }
}

fn lint(paths: &[String]) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut arena = Bump::new();
    for path in paths {
        let source = std::fs::read(path)?;
        match parse(&arena, &source, ParseOptions::default()) {
            Ok(_) => writeln!(out, "{path}: OK")?,
            Err(error) => {
                let kind = if error.kind == SyntaxErrorKind::Compile { "CompileError " } else { "" };
                write!(out, "{path}: {kind}{} ", error.line)?;
                out.write_all(&error.message)?;
                writeln!(out)?;
            }
        }
        arena.reset();
    }
    out.flush()
}

fn measure(paths: &[String], lex: bool) -> std::io::Result<()> {
    let mut sources = Vec::new();
    for path in paths {
        sources.push(std::fs::read(path)?);
    }
    let bytes: usize = sources.iter().map(Vec::len).sum();
    let mut arena = Bump::new();
    for round in 0..5 {
        let start = Instant::now();
        let mut accepted = 0;
        for source in &sources {
            if lex {
                let mut lexer = Lexer::new(source, LexMode::Parser, false, 1);
                while !matches!(lexer.next_token().kind, TokenKind::End | TokenKind::Error) {}
                continue;
            }
            accepted += parse(&arena, source, ParseOptions::default()).is_ok() as usize;
            arena.reset();
        }
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "round {round}: {} files, {accepted} accepted, {:.1} MB/s",
            sources.len(),
            bytes as f64 / seconds / 1e6
        );
    }
    Ok(())
}
