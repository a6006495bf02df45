//! Static variables are found by numbers of functions. A process that lives long gives out more of them than 32 bits hold.

mod common;

use jumbo_abi::{Call, Cx, Extension, FnDesc, Res, Value};
use std::future::Future;
use std::task::{Context, Waker};

/// Leaves out so many numbers that the next ones are those of the latest functions, in 32 bits.
fn come_round(_cx: &mut Cx, _call: &mut Call) -> Res<Value> {
    jumbo_runtime::inherit::skip_function_ids(u64::from(u32::MAX - 15));
    Ok(Value::null())
}

static FUNCTIONS: [FnDesc; 1] = [FnDesc {
    name: "test_come_round",
    params: &[],
    required: 0,
    ret: None,
    tentative: false,
    flags: 0,
    effects: 0,
    call: come_round,
    attributes: &[],
}];
static TESTING: Extension = Extension { name: "testing", functions: &FUNCTIONS, ..Extension::EMPTY };

#[test]
fn numbers_do_not_come_back() {
    let code = "eval('function one() { static $a = 0; return ++$a; }');
        echo one();
        test_come_round();
        for ($n = 0; $n < 32; $n++) eval('function f' . $n . '() { static $a = 10, $b = 20, $c = 30; return ++$a + ++$b + ++$c; }');
        for ($n = 0; $n < 32; $n++) { $f = 'f' . $n; if ([$f(), $f()] !== [63, 66]) echo ' ', $f; }
        echo ' ', one();";
    let (mut running, output) = common::start(&[&TESTING], code);
    while running.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {}
    assert_eq!(output.text(), "1 2");
}
