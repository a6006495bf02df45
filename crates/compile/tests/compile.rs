//! Compiling small sources: the code that comes out, the errors that PHP would give, and the verifier on all of it.

use jumbo_bytecode::unit::{BuiltinInfo, Unit, World};
use jumbo_compile::{Options, SourceKind};
use jumbo_value::Value;

/// A world with `sort` (by reference) and `max`, and one constant.
struct Small;

impl World for Small {
    fn builtin_function(&self, lower: &[u8]) -> Option<BuiltinInfo> {
        let (id, by_ref, params) = match lower {
            b"max" => (1, 0, 2),
            b"sort" => (2, 1, 2),
            _ => return None,
        };
        Some(BuiltinInfo {
            id,
            by_ref,
            prefer_ref: 0,
            variadic: false,
            variadic_by_ref: false,
            required: 1,
            params,
            foldable: false,
            needs_symbols: false,
        })
    }
    fn constant(&self, name: &[u8]) -> Option<Value> {
        (name == b"ANSWER").then(|| Value::from(42i64))
    }
    fn builtin_class(&self, lower: &[u8]) -> Option<Vec<u8>> {
        (lower == b"exception").then(|| b"class Exception".to_vec())
    }
}

fn compile(source: &str) -> Result<Unit, String> {
    let arena = jumbo_syntax::Arena::new();
    let source = format!("<?php {source}");
    let program = jumbo_syntax::parse(&arena, source.as_bytes(), Default::default())
        .map_err(|e| String::from_utf8_lossy(&e.message).into_owned())?;
    let options = Options {
        file: b"/t.php",
        world: &Small,
        kind: SourceKind::File,
        directory: b".",
        assertions: true,
        multibyte: false,
        memory_max: None,
    };
    let unit = jumbo_compile::compile(&program, &options)
        .map_err(|e| format!("{} on line {}", String::from_utf8_lossy(&e.message), e.line))?;
    jumbo_bytecode::verify::unit(&unit).map_err(|e| format!("verifier: {e}"))?;
    Ok(unit)
}

/// The main code as text: one instruction a line, without positions.
fn code(source: &str) -> String {
    let unit = match compile(source) {
        Ok(unit) => unit,
        Err(message) => return message,
    };
    let mut text = String::new();
    jumbo_bytecode::dis::function(&mut text, "main", &unit.main);
    let lines = text
        .lines()
        .skip(1)
        .filter(|l| !l.trim().is_empty() && !l.starts_with("  try"));
    let words = lines.map(|l| l.split_whitespace().collect::<Vec<_>>());
    words
        .map(|w| format!("{}: {}\n", w[0], w[2..].join(" ")))
        .collect()
}

fn check(source: &str, expected: &str) {
    let got = code(source);
    let tidy = |s: &str| {
        s.lines()
            .map(str::trim)
            .filter(|l| !l.is_empty())
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(tidy(&got), tidy(expected), "code of {source}");
}

fn check_error(source: &str, expected: &str) {
    match compile(source) {
        Ok(_) => panic!("{source} compiled, expected: {expected}"),
        Err(message) => assert_eq!(message, expected, "error of {source}"),
    }
}

#[test]
fn constants_are_folded() {
    check(
        "return 1 + 2 * 3 . 'a' . ANSWER;",
        "0: Return \"7a42\"\n1: Return 1",
    );
    check(
        "return [1, 'a' => [2, null]];",
        "0: Return array(2)\n1: Return 1",
    );
    check("$x = -ANSWER;", "0: AssignLit $x -42\n1: Return 1");
}

#[test]
fn the_parts_of_a_place_come_before_the_place() {
    check(
        "$a[$i++][$j] = $k;",
        "0: PostIncCv t0 $i #0
         1: DimW t1 $a t0
         2: AssignDim t1 $j $k
         3: Return 1",
    );
}

#[test]
fn results_go_straight_into_variables() {
    check("$a = $b + 1;", "0: AddVRL $a $b 1\n1: Return 1");
    check("$a = $b[$c];", "0: DimRV $a $b $c\n1: Return 1");
}

#[test]
fn loops_test_at_the_bottom() {
    check(
        "for ($i = 0; $i < $n; $i++) { if ($i == 3) continue; echo $i; }",
        "0: AssignLit $i 0
         1: Jmp ->6
         2: JmpEqualRL $i 3 ->5
         4: Echo $i
         5: IncLoopLessRR $i $n
         6: LoopLessRR $i $n ->2
         8: Return 1",
    );
}

#[test]
fn foreach_releases_its_iterator() {
    check(
        "foreach ($a as $k => $v) { if ($v) break; }",
        "0: IterInit t0 $a ->7
         2: IterNext t0 $v $k ->6
         4: JmpNZ $v ->6
         5: Loop ->2
         6: IterFree t0 #0
         7: Return 1",
    );
}

#[test]
fn known_builtins_are_called_by_number() {
    check(
        "$x = max($a, 1);",
        "0: MoveCv t5 $a
         1: Lit t6 #0
         2: CallBuiltin frame t1 #2 t0 x1
         4: AssignTmp $x t0
         5: Return 1",
    );
    check(
        "sort($a);",
        "0: MakeRef t4 $a
         1: CallBuiltin frame t0 #1 - x2
         3: Return 1",
    );
}

#[test]
fn a_long_concatenation_allocates_once() {
    check(
        "echo \"a $b c\" . $d;",
        "0: MoveStr t2 $b #0
         1: MoveStr t4 $d #0
         2: Lit t1 #0
         3: Lit t3 #1
         4: ConcatN t0 t1 #4
         5: Echo t0
         6: Return 1",
    );
}

#[test]
fn errors_are_those_of_php() {
    check_error(
        "break;",
        "'break' not in the 'loop' or 'switch' context on line 1",
    );
    check_error(
        "while (1) { break 2; }",
        "Cannot 'break' 2 levels on line 1",
    );
    check_error("$this = 1;", "Cannot re-assign $this on line 1");
    check_error(
        "function f($a, $a) {}",
        "Redefinition of parameter $a on line 1",
    );
    check_error(
        "function f(): void { return 1; }",
        "A void function must not return a value on line 1",
    );
    check_error(
        "f(a: 1, 2);",
        "Cannot use positional argument after named argument on line 1",
    );
    check_error(
        "class int {}",
        "Cannot use \"int\" as a class name as it is reserved on line 1",
    );
    check_error(
        "[$a, 'b' => $c] = $d;",
        "Cannot mix keyed and unkeyed array entries in assignments on line 1",
    );
    check_error("[] = $d;", "Cannot use empty list on line 1");
    check_error(
        "function f() { goto x; }",
        "'goto' to undefined label 'x' on line 1",
    );
    check_error(
        "yield 1;",
        "The \"yield\" expression can only be used inside a function on line 1",
    );
    check_error(
        "function f() {} function F() {}",
        "Cannot redeclare function F() (previously declared in /t.php:1) on line 1",
    );
    check_error(
        "class A { function __get() {} }",
        "Method A::__get() must take exactly 1 argument on line 1",
    );
    check_error(
        "echo $a ? 1 : $b ? 2 : 3;",
        "Unparenthesized `a ? b : c ? d : e` is not supported. Use either `(a ? b : c) ? d : e` or `a ? b : (c ? d : e)` on line 1",
    );
}

/// Sources whose live ranges are easy to get wrong: the verifier follows every path.
#[test]
fn temporaries_are_released_on_every_path() {
    for source in [
        "foreach (f() as $x) { try { foreach (g() as $y) { if ($y) return h(); if ($x) break 2; } } finally { k(); } }",
        "function a() { try { try { return f(); } finally { if (g()) return h(); } } catch (E $e) { return 1; } }",
        "function b($x) { return f($x?->a(g())?->b[h()] ?? new C(f()), match (f()) { 1, 2 => g(), default => throw new E }); }",
        "function c() { switch (f()) { case 1: return 2; case g(): foreach ($a as $b) continue 2; break; default: throw new E; } }",
        "$a[f()]->b[g()] ??= h(); $x->{f()} ??= [$y ?: g(), ...h()];",
        "function d() { yield f() => g(); $x = yield; foreach (f() as [$a, [$b]]) yield $a + (yield $b); return yield from f(); }",
        "f(...$a, b: g(), c: $d[h()]); new class(f()) extends B { public $x = 1; };",
        "foreach ($a->b() as $k => &$this2->x[$k]) { @f(@g()); }",
        "list('a' => list($a, , &$b), 'c' => $c[]) = $d; [[$a], $b] = [$b, [$a]];",
        "function e() { foreach (f() as $x) { goto out; } out: while (g()) { foreach (h() as $y) { goto out; } } }",
    ] {
        if let Err(message) = compile(source) {
            panic!("{source}: {message}");
        }
    }
}

#[test]
fn declarations_are_hoisted_as_by_php() {
    let unit = compile(
        "function f() {} if ($x) { function g() {} class H {} } class A {} class B extends A {} class C implements I {}",
    );
    let unit = unit.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(unit.hoisted_functions.len(), 1);
    let names: Vec<_> = unit
        .hoisted_classes
        .iter()
        .map(|hoisted| unit.classes[hoisted.number as usize].name.as_bytes().to_vec())
        .collect();
    assert_eq!(names, [b"A".to_vec(), b"B".to_vec()]);
}

/// The instructions of the first function of a source.
fn first_function(source: &str) -> Vec<jumbo_bytecode::Op> {
    let unit = compile(source).unwrap_or_else(|e| panic!("{source}: {e}"));
    jumbo_bytecode::insn::walk(&unit.functions[0].code).map(|(_, insn)| insn.op()).collect()
}

#[test]
fn loops_lose_what_nobody_sees() {
    use jumbo_bytecode::Op::{AssignLit, IncLoopLessRR, Jmp, LoopLessRR, ReturnLit};
    for body in [
        "",
        "nothing();",
        "nothing(1, 'two');",
        "$x = $array['a'];",
        "$x = $text[1];",
        "$x = $no ?: null;",
        "$x = $array ?: null;",
        "$x = $no ? $no : $one + 1;",
        "$x = $one * 2 . $text; $y = $x;",
        "if ($no) { f(); }",
        "func_num_args();",
    ] {
        let source = format!(
            "function test($n) {{ $array = ['a' => 1]; $text = 'text'; $no = false; $one = 1; for ($i = 0; $i < $n; $i++) {{ {body} }} }}
            function nothing() {{ }}"
        );
        assert_eq!(first_function(&source), [AssignLit, Jmp, IncLoopLessRR, LoopLessRR, ReturnLit], "{body}");
    }
}

#[test]
fn loops_keep_what_can_be_seen() {
    use jumbo_bytecode::Op;
    for (body, op) in [
        ("$x = $undefined;", Op::AssignVar),
        ("$x = $array['b'];", Op::DimRV),
        ("$x = 1; f($x);", Op::AssignLit),
        ("$x = new A; $x = 1;", Op::AssignLit),
        ("$x = 1 % $zero;", Op::ModV),
        ("$n = 1; g();", Op::AssignLit),
        ("unknown();", Op::Call),
        ("needs(); ", Op::Call),
        ("$x = 1; $y = &$x;", Op::AssignRef),
    ] {
        let source = format!(
            "function test($n) {{ $array = ['a' => 1]; $zero = 0; for ($i = 0; $i < $n; $i++) {{ {body} }} }} function needs($x) {{ }}"
        );
        assert!(first_function(&source).contains(&op), "{body}: {:?}", first_function(&source));
    }
}

#[test]
fn a_loop_that_begins_with_ints_and_goes_on_with_floats_is_one_of_floats() {
    use jumbo_bytecode::Op;
    let code = first_function(
        "function test($n) { $c = 0.25; $z = 0; for ($i = 0; $t = $z * $z + $c, $z = $t, $i < $n; $i++) { $z = $z * $z; } return $z; }",
    );
    for op in [Op::MulFRR, Op::AddFRL] {
        assert!(code.contains(&op), "{op:?} is not in {code:?}");
    }
    assert!(!code.iter().any(|op| [Op::MulRR, Op::MulVRL, Op::MulRL].contains(op)), "{code:?}");
}

#[test]
fn floats_are_known_by_inference() {
    use jumbo_bytecode::Op;
    let code = first_function(
        "function test($n) { $x = 0.5; for ($i = 0; $i < $n; $i++) { $y = $x * $x - 1; $x = $y + 2 * $x; } return $x; }",
    );
    for op in [Op::MulFRR, Op::SubFRL, Op::MulFRL, Op::AddFRR] {
        assert!(code.contains(&op), "{op:?} is not in {code:?}");
    }
    // An int may come from outside.
    let code = first_function("function test($x, $n) { for ($i = 0; $i < $n; $i++) { $x = $x * 0.5; } return $x; }");
    assert!(code.contains(&Op::MulV), "{code:?}");
}
