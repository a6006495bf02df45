//! How far the work is: a bar with the time left on a terminal, a line for each step elsewhere. On standard error, so that results can be piped.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub struct Progress {
    began: Instant,
    /// What is planned and what is done, in seconds of the plan.
    planned: f64,
    done: f64,
    terminal: bool,
    quiet: bool,
    line_is_open: bool,
}

const BAR_WIDTH: usize = 24;

impl Progress {
    pub fn new(planned_seconds: f64, quiet: bool) -> Progress {
        Progress { began: Instant::now(), planned: planned_seconds.max(0.001), done: 0.0, terminal: std::io::stderr().is_terminal(), quiet, line_is_open: false }
    }

    /// What begins now.
    pub fn step(&mut self, what: &str) {
        if self.quiet {
            return;
        }
        if self.terminal {
            self.draw(what, 0.0);
            self.line_is_open = true;
        } else {
            let (share, left) = self.estimate(0.0);
            let _ = writeln!(std::io::stderr(), "[{:3.0} %, {} left] {what}", share * 100.0, human(left));
        }
    }

    /// Does what begins now; meanwhile the bar moves on, as far as the plan has seconds for it.
    pub fn during<T>(&mut self, what: &str, planned_seconds: f64, work: impl FnOnce() -> T) -> T {
        self.step(what);
        if self.quiet || !self.terminal {
            return work();
        }
        let (began, over) = (Instant::now(), AtomicBool::new(false));
        let this = &*self;
        std::thread::scope(|scope| {
            let clock = scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::thread::park_timeout(Duration::from_secs(1));
                    if !over.load(Ordering::Relaxed) {
                        this.draw(what, began.elapsed().as_secs_f64().min(planned_seconds));
                    }
                }
            });
            // Also when the work panics: the scope waits for its thread.
            let _end = OnDrop(|| {
                over.store(true, Ordering::Relaxed);
                clock.thread().unpark();
            });
            work()
        })
    }

    fn draw(&self, what: &str, more_seconds: f64) {
        let (share, left) = self.estimate(more_seconds);
        let filled = (share * BAR_WIDTH as f64) as usize;
        let bar: String = (0..BAR_WIDTH).map(|n| if n < filled { '█' } else { '░' }).collect();
        let mut err = std::io::stderr();
        let _ = write!(err, "\r\x1b[K{bar} {:3.0} %  {} left  {what}", share * 100.0, human(left));
        let _ = err.flush();
    }

    /// That much of the plan is done, be it that it took another time or was not necessary.
    pub fn done(&mut self, planned_seconds: f64) {
        self.done += planned_seconds;
    }

    /// Something that shall stay on the screen.
    pub fn note(&mut self, text: &str) {
        if self.quiet {
            return;
        }
        let clear = if std::mem::take(&mut self.line_is_open) { "\r\x1b[K" } else { "" };
        let _ = writeln!(std::io::stderr(), "{clear}{text}");
    }

    pub fn end(&mut self) {
        if std::mem::take(&mut self.line_is_open) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }

    /// The share that is done, and the time that the rest will take if the plan errs on it as it has erred until now.
    fn estimate(&self, more_seconds: f64) -> (f64, Duration) {
        let done = self.done + more_seconds;
        let share = (done / self.planned).clamp(0.0, 1.0);
        let took = self.began.elapsed().as_secs_f64();
        let rate = if done > 1.0 { (took / done).clamp(0.2, 5.0) } else { 1.0 };
        (share, Duration::from_secs_f64(((self.planned - done).max(0.0)) * rate))
    }
}

struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        self.0();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

pub fn human(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{}:{:02} min", seconds / 60, seconds % 60),
        _ => format!("{}:{:02} h", seconds / 3600, seconds / 60 % 60),
    }
}
