//! Data-driven tests: snippets of PHP with what stock PHP 8.4 says about them.
//!
//! `data/errors.txt`: snippets with `OK`, or the line (the snippet's own, from 1) and message of the error.
//! `data/export.txt`: expressions with the text that PHP prints for them when they fail in `assert()`; since the printer follows
//! the tree, this also shows that operators nest as in PHP.

use bumpalo::Bump;
use jumbo_syntax::ast::{Expr, ExprKind, StmtKind};
use jumbo_syntax::{ParseOptions, SyntaxErrorKind, export, parse};

/// Runs `check` on every case of a file and reports all that differ.
fn check(data: &str, check: impl Fn(&str) -> String) {
    let mut report = String::new();
    let mut cases = 0;
    for case in data.strip_prefix("=== ").expect("the first case").split("\n=== ") {
        let (source, expected) = case.split_once("\n--- ").expect("a case has a source and a result");
        let got = check(source);
        cases += 1;
        if got.trim_end() != expected.trim_end() {
            report.push_str(&format!("=== {source}\n  expected: {}\n  got:      {got}\n", expected.trim_end()));
        }
    }
    assert!(cases > 100, "only {cases} cases were found");
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn errors() {
    check(include_str!("data/errors.txt"), |source| {
        let arena = Bump::new();
        let code = format!("<?php\n{source}");
        match parse(&arena, code.as_bytes(), ParseOptions::default()) {
            Ok(_) => "OK".into(),
            Err(error) => {
                let kind = if error.kind == SyntaxErrorKind::Compile { "CompileError " } else { "" };
                // Messages name lines too; the data has them as PHP printed them, with the opening tag's line.
                format!("{kind}{} {}", error.line - 1, String::from_utf8_lossy(&error.message))
            }
        }
    });
}

#[test]
fn exported_expressions() {
    check(include_str!("data/export.txt"), |source| {
        let arena = Bump::new();
        // The place in which PHP printed them: the right side of `0 && (...)`.
        let code = format!("0 && ({source});");
        let options = ParseOptions { start_in_php: true, ..ParseOptions::default() };
        let program = match parse(&arena, code.as_bytes(), options) {
            Ok(program) => program,
            Err(error) => return String::from_utf8_lossy(&error.message).into_owned(),
        };
        let Some(StmtKind::Expr(Expr { kind, .. })) = program.stmts.first().map(|stmt| stmt.kind) else {
            return "not an expression".into();
        };
        let ExprKind::Binary { .. } = kind else { return "not a binary operator".into() };
        let Some(StmtKind::Expr(expr)) = program.stmts.first().map(|stmt| stmt.kind) else { return String::new() };
        let text = export::expr(expr);
        String::from_utf8_lossy(text.strip_prefix(b"0 && ").unwrap_or(&text)).into_owned()
    });
}

/// Nesting ends in an answer, not in a stack overflow, on any thread.
#[test]
fn deep_nesting() {
    let deep = |open: &str, close: &str, depth: usize| format!("<?php $a = {}1{};", open.repeat(depth), close.repeat(depth));
    let run = |code: String| {
        std::thread::Builder::new()
            .stack_size(1 << 20)
            .spawn(move || {
                let arena = Bump::new();
                parse(&arena, code.as_bytes(), ParseOptions::default()).map(|_| ()).map_err(|error| error.message)
            })
            .expect("a thread")
            .join()
            .expect("no overflow")
    };
    assert_eq!(run(deep("(", ")", 5_000)), Ok(()));
    assert_eq!(run(deep("[", "]", 5_000)), Ok(()));
    assert_eq!(run(deep("- ", "", 5_000)), Ok(()));
    assert_eq!(run(deep("1 . ", "", 40_000)), Ok(()));
    for (open, close) in [("(", ")"), ("[", "]"), ("!", ""), ("fn() => ", ""), ("$b ?? ", ""), ("f(", ")")] {
        assert_eq!(run(deep(open, close, 100_000)), Err(b"memory exhausted".to_vec()), "{open}");
    }
}

/// Which doc comment belongs to what: an unused one waits for the next declaration, a closing brace drops it. What stock
/// PHP's Reflection says about `data/docs.php` is `data/docs.txt`.
#[test]
fn doc_comments() {
    use jumbo_syntax::ast::*;

    fn entry(out: &mut Vec<String>, name: &[u8], doc: Option<&[u8]>, lines: Option<(u32, u32)>) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let doc = doc.map_or("none".into(), text);
        let lines = lines.map_or(String::new(), |(start, end)| format!(" {start}-{end}"));
        out.push(format!("{} {doc}{lines}", text(name)));
    }

    fn function(out: &mut Vec<String>, f: &Function) {
        entry(out, f.name, f.doc, Some((f.start_line, f.end_line)));
    }

    fn class(out: &mut Vec<String>, class: &Class) {
        entry(out, class.name, class.doc, Some((class.start_line, class.end_line)));
        for member in class.members {
            match member.kind {
                MemberKind::Const(consts) => consts.items.iter().for_each(|c| entry(out, c.name, c.doc, None)),
                MemberKind::Property(properties) => {
                    for item in properties.items {
                        entry(out, item.name, item.doc, None);
                        item.hooks.unwrap_or(&[]).iter().for_each(|hook| function(out, hook));
                    }
                }
                MemberKind::Method(method) => function(out, method),
                MemberKind::Case(case) => entry(out, case.name, case.doc, None),
                MemberKind::TraitUse(_) => {}
            }
        }
    }

    fn expr(out: &mut Vec<String>, e: &Expr) {
        match e.kind {
            ExprKind::Assign { value, .. } => expr(out, value),
            ExprKind::Closure(f) => function(out, f),
            ExprKind::NewAnonymous(new) => class(out, new.class),
            ExprKind::Array(array) => {
                for element in array.elements {
                    if let ArrayElement::Item { value, .. } = element {
                        expr(out, value);
                    }
                }
            }
            _ => {}
        }
    }

    let arena = Bump::new();
    let program = parse(&arena, include_bytes!("data/docs.php"), ParseOptions::default()).expect("valid PHP");
    let mut out = Vec::new();
    for stmt in program.stmts {
        match stmt.kind {
            StmtKind::Function(f) => function(&mut out, f),
            StmtKind::Class(c) => class(&mut out, c),
            StmtKind::Expr(e) => expr(&mut out, e),
            StmtKind::If { branches: [IfBranch { body: [Stmt { kind: StmtKind::Function(f), .. }], .. }], .. } => {
                function(&mut out, f);
            }
            _ => {}
        }
    }
    assert_eq!(out.join("\n"), include_str!("data/docs.txt").trim_end());
}

/// Every byte belongs to one token, in order.
#[test]
fn tokens_cover_the_source() {
    for source in [
        &include_bytes!("data/docs.php")[..],
        b"<?php \"a $b[c] {$d['e']} ${f}\" . <<<X\n  y $z\n  X; ?>\n<b><?= 1 ?>",
        b"<?php 'unterminated",
        b"<?php /* unterminated",
        b"<?php \x01 )]} $",
        b"<?php __halt_compiler(); data $",
        b"text only",
        b"",
    ] {
        let tokens = jumbo_syntax::tokenize(source, false);
        let joined: Vec<u8> = tokens.flat_map(|token| token.span.text(source).to_vec()).collect();
        assert_eq!(joined, source);
    }
}

/// With `TOKEN_PARSE`, keywords that serve as names are identifiers.
#[test]
fn keywords_as_names() {
    use jumbo_syntax::TokenKind as T;

    let source = b"<?php class A { const list = 1; function class() { return A::class; } } f(array: 1, b: []);";
    let tokens: Vec<_> = jumbo_syntax::tokenize_parsed(source, false).expect("valid PHP").collect();
    let kinds = |text: &[u8]| -> Vec<T> {
        tokens.iter().filter(|token| token.span.text(source) == text).map(|token| token.kind).collect()
    };
    assert_eq!(kinds(b"list"), [T::Ident]);
    assert_eq!(kinds(b"class"), [T::Class, T::Ident, T::Ident]);
    assert_eq!(kinds(b"array"), [T::Ident]);
    assert_eq!(kinds(b"function"), [T::Function]);
}
