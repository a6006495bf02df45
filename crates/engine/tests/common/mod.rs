//! Instances that run a piece of code, for tests of the engine.

use jumbo_abi::Extension;
use jumbo_abi::output::Sink;
use jumbo_engine::{Instance, Running, Script, Settings};
use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Once;

#[derive(Clone, Default)]
pub struct Output(Rc<RefCell<Vec<u8>>>);

impl Output {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.borrow()).into_owned()
    }
}

impl Sink for Output {
    fn write(&mut self, bytes: &[u8]) {
        self.0.borrow_mut().extend_from_slice(bytes);
    }
}

/// An instance that will run `code` when it is polled, and what it writes. The extensions are those of the first call.
pub fn start(more: &[&'static Extension], code: &str) -> (Pin<Box<Running>>, Output) {
    static START: Once = Once::new();
    START.call_once(|| {
        let ini = vec![(b"display_errors".to_vec(), b"1".to_vec()), (b"html_errors".to_vec(), b"0".to_vec())];
        let extensions = [
            &jumbo_ext_core::EXTENSION,
            &jumbo_ext_arrays::EXTENSION,
            &jumbo_ext_files::EXTENSION,
            &jumbo_ext_misc::EXTENSION,
            &jumbo_interp::builtin::INTERP_CORE,
        ];
        let extensions: Vec<&'static Extension> = extensions.into_iter().chain(more.iter().copied()).collect();
        assert!(jumbo_engine::start(&extensions, Settings { sapi: "cli", ini, revalidate_ms: Some(0), ..Settings::default() }));
    });
    let output = Output::default();
    let mut instance = Instance::new(Box::new(output.clone())).expect("an instance");
    // A timer that knows no time: one round.
    instance.prepare(|cx| cx.timer = Some(|_| Box::pin(one_round())));
    let script = Script::Code(code.as_bytes().to_vec(), b"test".to_vec());
    (Box::pin(Box::new(instance).start(script, false).expect("a coroutine")), output)
}

/// Pending once.
async fn one_round() {
    let mut polled = false;
    std::future::poll_fn(|_| if std::mem::replace(&mut polled, true) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }).await;
}
