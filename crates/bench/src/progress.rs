//! How far the work is: a bar with the time left on a terminal, a line for each step elsewhere. On standard error, so that results can be piped.

use std::io::{IsTerminal, Write};
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
        let (share, left) = self.estimate();
        let mut err = std::io::stderr();
        if self.terminal {
            let filled = (share * BAR_WIDTH as f64) as usize;
            let bar: String = (0..BAR_WIDTH).map(|n| if n < filled { '█' } else { '░' }).collect();
            let _ = write!(err, "\r\x1b[K{bar} {:3.0} %  {} left  {what}", share * 100.0, human(left));
            let _ = err.flush();
            self.line_is_open = true;
        } else {
            let _ = writeln!(err, "[{:3.0} %, {} left] {what}", share * 100.0, human(left));
        }
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
    fn estimate(&self) -> (f64, Duration) {
        let share = (self.done / self.planned).clamp(0.0, 1.0);
        let took = self.began.elapsed().as_secs_f64();
        let rate = if self.done > 1.0 { (took / self.done).clamp(0.2, 5.0) } else { 1.0 };
        (share, Duration::from_secs_f64(((self.planned - self.done).max(0.0)) * rate))
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
