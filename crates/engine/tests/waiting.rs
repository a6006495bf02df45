//! Waiting inside of builtins: the instance is suspended with all its stacks, and goes on where it was; cancelling unwinds everything.

mod common;

use common::Output;
use jumbo_abi::{Call, Cx, Extension, FnDesc, ParamDesc, Res, TypeDesc, Value, mask};
use jumbo_engine::Running;
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Pending as often as it says, then ready with that number.
struct Pending(i64, i64);

impl Future for Pending {
    type Output = i64;
    fn poll(mut self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<i64> {
        if self.0 == 0 {
            return Poll::Ready(self.1);
        }
        self.0 -= 1;
        WAITS.set(WAITS.get() + 1);
        Poll::Pending
    }
}

thread_local! {
    static DROPS: Cell<u32> = const { Cell::new(0) };
    static WAITS: Cell<u32> = const { Cell::new(0) };
}

/// Counts that it was dropped: by returning or by unwinding.
struct Witness;

impl Drop for Witness {
    fn drop(&mut self) {
        DROPS.set(DROPS.get() + 1);
    }
}

fn wait(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let n = jumbo_abi::args::int(cx, call, 0)?;
    let _witness = Witness;
    Ok(Value::from(cx.wait(Pending(n, n))))
}

static PARAMS: [ParamDesc; 1] =
    [ParamDesc::new("times", Some(TypeDesc { mask: mask::INT, classes: &[], nullable_syntax: false }))];
/// A builtin with a defect.
fn defect(_cx: &mut Cx, _call: &mut Call) -> Res<Value> {
    let _witness = Witness;
    panic!("a defect")
}

const fn function(name: &'static str, params: &'static [ParamDesc], call: fn(&mut Cx, &mut Call) -> Res<Value>) -> FnDesc {
    FnDesc { name, params, required: params.len() as u32, ret: None, tentative: false, flags: 0, effects: 0, call, attributes: &[] }
}
static FUNCTIONS: [FnDesc; 2] = [function("test_wait", &PARAMS, wait), function("test_defect", &[], defect)];
static TESTING: Extension = Extension { name: "testing", functions: &FUNCTIONS, ..Extension::EMPTY };

fn start(code: &str) -> (Pin<Box<Running>>, Output) {
    common::start(&[&TESTING], code)
}

/// Runs the code; how often it had to wait, and what it wrote. Each wait has given up the core, as the end of a time slice does.
fn run(code: &str) -> (u32, String) {
    let (mut running, output) = start(code);
    let before = WAITS.get();
    let mut pending = 0;
    while running.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
        pending += 1;
    }
    let waits = WAITS.get() - before;
    assert!(pending >= waits, "pending {pending} times for {waits} waits");
    let text = output.text();
    (waits, text)
}

#[test]
fn a_builtin_waits() {
    assert_eq!(run("echo 'a', test_wait(3), test_wait(0), test_wait(2), 'b';"), (5, "a302b".into()));
}

#[test]
fn waits_inside_fibers_callbacks_and_generators() {
    let code = r#"
        class C { public function __get($name) { return test_wait(1); } public function __destruct() { echo 'd', test_wait(2); } }
        function g() { yield test_wait(2); yield Fiber::suspend('s'); }
        $outer = new Fiber(function () {
            $inner = new Fiber(function () { foreach (g() as $v) echo $v; return (new C)->x; });
            echo $inner->start();
            $inner->resume('r');
            echo $inner->getReturn(), Fiber::suspend('o');
        });
        echo $outer->start();
        $outer->resume('end');
    "#;
    assert_eq!(run(code), (5, "2srd21oend".into()));
}

#[test]
fn interleaved_instances_keep_their_places() {
    let code = "$f = new Fiber(function () { for ($i = 0; $i < 3; $i++) { echo test_wait(1), Fiber::suspend(); } });
        $f->start(); while (!$f->isTerminated()) { $f->resume('x'); }";
    let mut all: Vec<_> = (0..4).map(|_| start(code)).collect();
    let mut left = all.len();
    let mut done = vec![false; all.len()];
    while left > 0 {
        for (n, (running, _)) in all.iter_mut().enumerate() {
            if !done[n] && running.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
                done[n] = true;
                left -= 1;
            }
        }
    }
    for (_, output) in &all {
        assert_eq!(output.text(), "1x1x1x");
    }
}

/// Polls all of them in turn until they are through; what each wrote.
fn interleave(codes: &[&str]) -> Vec<String> {
    let mut all: Vec<_> = codes.iter().map(|code| Some(start(code))).collect();
    let mut texts = vec![String::new(); all.len()];
    for round in 0.. {
        assert!(round < 10_000, "no end: {texts:?}");
        for (n, entry) in all.iter_mut().enumerate() {
            let Some((running, output)) = entry else { continue };
            if running.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
                texts[n] = output.text();
                *entry = None;
            }
        }
        if all.iter().all(Option::is_none) {
            break;
        }
    }
    texts
}

#[test]
fn interleaved_requests_declare_one_name_differently() {
    let codes = [
        "test_wait(1); if (1) { function f() { test_wait(1); return 'first'; } class C { const X = 1; static $s = 'a'; } }
         for ($i = 0; $i < 3; $i++) { test_wait(1); echo f(), C::X, C::$s; C::$s .= 'a'; }",
        "if (1) { function f() { test_wait(2); return 'second'; } class C { const X = 2; static $s = 'b'; } }
         for ($i = 0; $i < 3; $i++) { test_wait(1); echo f(), C::X, C::$s; C::$s .= 'b'; }",
        "echo function_exists('f') ? 'there' : 'no f'; test_wait(5); echo function_exists('f') ? 'there' : 'no f';",
    ];
    assert_eq!(interleave(&codes), ["first1afirst1aafirst1aaa", "second2bsecond2bbsecond2bbb", "no fno f"]);
}

#[test]
fn a_fiber_waits_in_a_callback_while_another_one_does() {
    let code = r#"
        $log = [];
        $make = function ($name) use (&$log) { return new Fiber(function () use ($name, &$log) {
            return array_map(function ($x) use ($name, &$log) {
                $log[] = "$name$x";
                Fiber::suspend($x);
                return test_wait(1) + usort_wait($x);
            }, [1, 2, 3]);
        }); };
        function usort_wait($x) { $a = [3, 1, 2]; usort($a, fn($p, $q) => test_wait(1) ? $p <=> $q : 0); return $a[0] * $x; }
        $a = $make('a'); $b = $make('b');
        $a->start(); $b->start();
        while (!$a->isTerminated() || !$b->isTerminated()) { foreach ([$a, $b] as $f) if (!$f->isTerminated()) $f->resume(); }
        echo implode_(',', $log), '|', implode_(',', $a->getReturn()), '|', implode_(',', $b->getReturn());
        function implode_($s, $l) { $r = ''; foreach ($l as $v) $r .= $s . $v; return $r; }
    "#;
    assert_eq!(interleave(&[code, code]), [",a1,b1,a2,b2,a3,b3|,2,3,4|,2,3,4"; 2]);
}

#[test]
fn interleaved_requests_wait_for_one_lock() {
    let path = std::env::temp_dir().join(format!("jumbo-lock-{}", std::process::id()));
    let code = format!(
        "$f = fopen('{0}', 'a+'); for ($i = 0; $i < 3; $i++) {{ if (!flock($f, LOCK_EX)) echo 'failed'; $g = fopen('{0}', 'r+');
         $n = (int) stream_get_contents($g); test_wait(2); rewind($g); fwrite($g, (string) ($n + 1)); fclose($g); flock($f, LOCK_UN); test_wait(1); }} echo 'done';",
        path.display()
    );
    assert_eq!(interleave(&[&code, &code, &code]), ["done"; 3]);
    let counted = std::fs::read_to_string(&path).expect("the file was written");
    let _ = std::fs::remove_file(&path);
    assert_eq!(counted, "9");
}

#[test]
fn places_outlive_handlers() {
    let code = include_str!("data/places_outlive_handlers.php").trim_start_matches("<?php");
    assert_eq!(run(code).1, "unset done\nscalar done\nother array done\nemptied done\ngrown done\n");
}

#[test]
fn cancelling_unwinds_all_stacks() {
    let before = DROPS.get();
    let code = "$other = new Fiber(function () { try { Fiber::suspend(); } finally { echo 'no'; } }); $other->start();
        $f = new Fiber(function () { (fn() => test_wait(1000))(); echo 'never'; }); $f->start();";
    let (mut running, output) = start(code);
    for _ in 0..3 {
        assert!(running.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    drop(running);
    assert_eq!(DROPS.get(), before + 1);
    assert_eq!(output.text(), "");
    // The thread is fit for others.
    assert_eq!(run("echo test_wait(1);"), (1, "1".into()));
}

#[test]
fn a_defect_ends_one_request() {
    let before = DROPS.get();
    let neighbours: Vec<_> = (0..3).map(|_| start("$f = new Fiber(fn() => test_wait(3)); $f->start(); echo $f->getReturn();")).collect();
    let code = "class D { function __destruct() { echo 'd'; } }
        register_shutdown_function(function () { echo 's'; });
        $d = new D; $f = new Fiber(function () { array_map(fn() => test_defect(), [1]); }); echo 'a'; $f->start(); echo 'never';";
    let (mut defective, output) = start(code);
    let mut neighbours: Vec<_> = neighbours
        .into_iter()
        .map(|(mut running, output)| {
            assert!(running.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
            (running, output)
        })
        .collect();
    let (mut instance, outcome) = loop {
        if let Poll::Ready(ended) = defective.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            break ended;
        }
    };
    assert_eq!((outcome.panicked, outcome.exit_status), (true, 255), "{}", output.text());
    assert!(output.text().starts_with("a") && !output.text().ends_with("never"));
    assert_eq!(DROPS.get(), before + 1);
    // Its instance could even be used again.
    instance.recycle();
    drop(instance);
    for (running, output) in &mut neighbours {
        while running.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {}
        assert_eq!(output.text(), "3");
    }
}
