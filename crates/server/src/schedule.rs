//! Which script gets an executor's core next, and when a waiting request may begin.
//!
//! Beginning a request takes the core from those that have begun, costs memory, and cools the caches; finishing one gives all that
//! back. So a request begins when no script is *ready*: scripts that wait (a database, a timer, a lock, a slow client) are
//! not, and any number of them overlaps. Ready scripts are of three kinds:
//!
//! - *Quick* ones are expected to end within a time slice ([`Expectations`](crate::expectations)), and have had no more than that. They
//!   come before others, and a quick request begins before others go on: a page of a few milliseconds gets through beside any
//!   number of larger ones. Their share of the core beside others is limited.
//! - *Short* ones have had less than [`QUANTUM`] of the core. The oldest runs first, slice after slice, until it waits or ends.
//! - *Long* ones have had more. They take turns behind the short ones and behind waiting requests, so that a quick page
//!   gets through beside computations that last for minutes. While there are others they have a share of the core, which grows with
//!   the portion of requests that turn out to be long, from a quarter to three quarters.
//!
//! What keeps a queue of long requests from beginning all at once is the *hold*: when a script becomes long, nothing begins beside
//! ready long scripts for a time that is in proportion to their number and to the portion of long requests. Where long ones are an exception,
//! quick pages hardly notice it; where all are long, few are in progress at once, however many wait. (Where every request takes
//! `S` of the core, about `S` / [`HOLD_FOR_EACH`].)
//!
//! This file knows no threads and no clock.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::{Duration, Instant};

/// What a script may use of the core, or is expected to use, while it counts as quick: a time slice.
pub(crate) const QUICK: Duration = Duration::from_millis(10);
/// The share of the core that quick scripts leave to others.
const SHARE_BESIDE_QUICK: f64 = 0.5;
/// How far the account of those others may go to either side: they have had more, or less, than their share.
const OWED_BESIDE_QUICK_S: (f64, f64) = (-0.05, 0.02);
/// What a script may use of the core before it counts as long.
const QUANTUM: Duration = Duration::from_millis(100);
/// How long nothing begins when a script has become long, for each ready long one, if all requests are long.
const HOLD_FOR_EACH: Duration = Duration::from_millis(100);
/// The share of the core that long scripts get beside others, at least and at most.
const LONG_SHARE: (f64, f64) = (0.25, 0.75);
/// The weight of the latest request in the portion of long ones.
const LATEST_WEIGHT: f64 = 1.0 / 16.0;
/// How far the long scripts' account may go to either side.
const OWED_S_MAX: f64 = 0.05;

/// A script's number; of two scripts the one with the smaller number has begun first.
pub(crate) type ScriptId = u64;

/// What one script has had of the core.
pub(crate) struct Attained {
    time: Duration,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Quick,
    Short,
    Long,
}

impl Attained {
    pub(crate) fn nothing(is_expected_quick: bool) -> Attained {
        Attained { time: Duration::ZERO, kind: if is_expected_quick { Kind::Quick } else { Kind::Short } }
    }
    pub(crate) fn time(&self) -> Duration {
        self.time
    }
}

/// Which requests wait that could begin.
#[derive(Clone, Copy, Default)]
pub(crate) struct Queued {
    /// Of which it is expected that they are quick.
    pub quick: bool,
    pub others: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A begun script goes on.
    Script(ScriptId),
    /// A waiting request begins: a quick one, or one of the others.
    Begin { quick: bool },
}

/// The ready scripts of one executor.
#[derive(Default)]
pub(crate) struct Schedule {
    quick: BinaryHeap<Reverse<ScriptId>>,
    short: BinaryHeap<Reverse<ScriptId>>,
    long: VecDeque<ScriptId>,
    /// Seconds of the core that the long scripts have not had of their share; negative: they had more.
    owed_s: f64,
    /// The same of all that are not quick.
    owed_beside_quick_s: f64,
    hold_until: Option<Instant>,
    /// The portion of requests that become long, of late.
    long_portion: f64,
}

impl Schedule {
    /// A script that waited, or gave up its turn, can go on. Until it runs it must not be announced again.
    pub(crate) fn ready(&mut self, id: ScriptId, attained: &Attained) {
        match attained.kind {
            Kind::Quick => self.quick.push(Reverse(id)),
            Kind::Short => self.short.push(Reverse(id)),
            Kind::Long => self.long.push_back(id),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.quick.is_empty() && self.short.is_empty() && self.long.is_empty()
    }

    /// Whether a waiting request would be the next to run.
    pub(crate) fn admits(&self, now: Instant, quick: bool) -> bool {
        self.peek(now, Queued { quick, others: !quick }) == Some(Next::Begin { quick })
    }

    fn peek(&self, now: Instant, queued: Queued) -> Option<Next> {
        let other = self.peek_beside_quick(now, queued.others);
        let quick = match self.quick.peek() {
            Some(&Reverse(id)) => Some(Next::Script(id)),
            None => queued.quick.then_some(Next::Begin { quick: true }),
        };
        if self.owed_beside_quick_s > 0.0 { other.or(quick) } else { quick.or(other) }
    }

    fn peek_beside_quick(&self, now: Instant, is_waiting: bool) -> Option<Next> {
        let long = self.long.front().copied().map(Next::Script);
        let is_held = self.hold_until.is_some_and(|until| now < until);
        let other = match self.short.peek() {
            Some(&Reverse(id)) => Some(Next::Script(id)),
            None if is_waiting && (long.is_none() || !is_held) => Some(Next::Begin { quick: false }),
            None => None,
        };
        match (long, other) {
            (Some(long), Some(_)) if self.owed_s > 0.0 => Some(long),
            (long, other) => other.or(long),
        }
    }

    /// What runs now; a script is not among the ready ones any more.
    pub(crate) fn next(&mut self, now: Instant, queued: Queued) -> Option<Next> {
        let next = self.peek(now, queued);
        match next {
            Some(Next::Script(id)) if self.long.front() == Some(&id) => drop(self.long.pop_front()),
            Some(Next::Script(id)) if self.short.peek() == Some(&Reverse(id)) => drop(self.short.pop()),
            Some(Next::Script(_)) => drop(self.quick.pop()),
            Some(Next::Begin { .. }) | None => {}
        }
        next
    }

    /// A script has had a turn of this length, which ended `now`.
    pub(crate) fn ran(&mut self, attained: &mut Attained, turn: Duration, now: Instant) {
        attained.time = attained.time.saturating_add(turn);
        let turn_s = turn.as_secs_f64();
        let lent = |share: f64| turn_s * share / (1.0 - share);
        self.owed_beside_quick_s += if attained.kind == Kind::Quick { lent(SHARE_BESIDE_QUICK) } else { -turn_s };
        self.owed_beside_quick_s = self.owed_beside_quick_s.clamp(OWED_BESIDE_QUICK_S.0, OWED_BESIDE_QUICK_S.1);
        if attained.kind == Kind::Long {
            self.owed_s -= turn_s;
        } else if !self.long.is_empty() {
            self.owed_s += lent(self.long_portion.clamp(LONG_SHARE.0, LONG_SHARE.1));
        }
        self.owed_s = self.owed_s.clamp(-OWED_S_MAX, OWED_S_MAX);
        if attained.kind == Kind::Quick && attained.time >= QUICK {
            attained.kind = Kind::Short;
        }
        if attained.kind == Kind::Short && attained.time >= QUANTUM {
            attained.kind = Kind::Long;
            self.learn(1.0);
            let ready = u32::try_from(self.long.len() + 1).unwrap_or(u32::MAX);
            self.hold_until = Some(now + HOLD_FOR_EACH.mul_f64(f64::from(ready.min(1000)) * self.long_portion));
        }
    }

    /// A script has ended.
    pub(crate) fn ended(&mut self, attained: &Attained) {
        if attained.kind != Kind::Long {
            self.learn(0.0);
        }
    }

    fn learn(&mut self, long: f64) {
        self.long_portion += (long - self.long_portion) * LATEST_WEIGHT;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    const SLICE: Duration = Duration::from_millis(10);

    /// One core on which scripts compute, in simulated time.
    struct Core {
        schedule: Schedule,
        now: Instant,
        /// What is left of each begun script's work.
        begun: HashMap<ScriptId, (Attained, Duration)>,
        /// The work of requests that have not begun, and of those that are expected to be quick.
        waiting: VecDeque<Duration>,
        waiting_quick: VecDeque<Duration>,
        next_id: ScriptId,
        finished: Vec<ScriptId>,
        in_progress_max: usize,
    }

    impl Core {
        fn new() -> Core {
            Core {
                schedule: Schedule::default(),
                now: Instant::now(),
                begun: HashMap::new(),
                waiting: VecDeque::new(),
                waiting_quick: VecDeque::new(),
                next_id: 0,
                finished: Vec::new(),
                in_progress_max: 0,
            }
        }

        fn step(&mut self) -> bool {
            let queued = Queued { quick: !self.waiting_quick.is_empty(), others: !self.waiting.is_empty() };
            let id = match self.schedule.next(self.now, queued) {
                None => return false,
                Some(Next::Script(id)) => id,
                Some(Next::Begin { quick }) => {
                    let queue = if quick { &mut self.waiting_quick } else { &mut self.waiting };
                    let work = queue.pop_front().expect("one is waiting");
                    self.begun.insert(self.next_id, (Attained::nothing(quick), work));
                    self.next_id += 1;
                    self.next_id - 1
                }
            };
            self.in_progress_max = self.in_progress_max.max(self.begun.len());
            let (mut attained, left) = self.begun.remove(&id).expect("it has begun");
            let turn = left.min(SLICE);
            self.now += turn;
            self.schedule.ran(&mut attained, turn, self.now);
            if left > turn {
                self.schedule.ready(id, &attained);
                self.begun.insert(id, (attained, left - turn));
            } else {
                self.schedule.ended(&attained);
                self.finished.push(id);
            }
            true
        }

        fn run_until(&mut self, done: impl Fn(&Core) -> bool) {
            while !done(self) {
                assert!(self.step(), "nothing runs although work is left");
            }
        }
    }

    #[test]
    fn short_requests_finish_in_the_order_of_their_arrival() {
        let mut core = Core::new();
        core.waiting = [80, 30, 95, 5, 60].map(Duration::from_millis).into();
        core.run_until(|core| core.finished.len() == 5);
        assert_eq!((core.finished, core.in_progress_max), (vec![0, 1, 2, 3, 4], 1));
    }

    #[test]
    fn of_many_long_requests_few_are_in_progress() {
        for (work_ms, most) in [(170, 3), (500, 8), (2000, 24)] {
            let mut core = Core::new();
            core.waiting = vec![Duration::from_millis(work_ms); 200].into();
            // What is usual must be learned first.
            core.run_until(|core| core.finished.len() == 40);
            core.in_progress_max = 0;
            core.run_until(|core| core.finished.len() == 200);
            assert!(core.in_progress_max <= most, "{work_ms} ms: {} in progress", core.in_progress_max);
        }
    }

    #[test]
    fn quick_pages_get_through_beside_endless_computations() {
        let endless = Duration::from_secs(1_000_000);
        let mut core = Core::new();
        core.waiting = vec![endless; 30].into();
        core.run_until(|core| core.begun.len() == 30);
        // One page after the other, as one client asks for them.
        let mut waits = Vec::new();
        for _ in 0..200 {
            let asked = core.now;
            core.waiting.push_back(Duration::from_millis(2));
            let finished = core.finished.len();
            core.run_until(|core| core.finished.len() > finished);
            waits.push(core.now - asked);
        }
        waits.sort_unstable();
        // At first the hold of thirty long ones; as a rule a few slices.
        assert!(waits[100] <= 2 * SLICE, "{:?}", waits[100]);
        assert!(waits[199] <= 31 * HOLD_FOR_EACH, "{:?}", waits[199]);
    }

    #[test]
    fn long_scripts_keep_a_share_beside_endless_quick_pages() {
        let mut core = Core::new();
        core.waiting.push_back(Duration::from_secs(1));
        core.run_until(|core| core.schedule.long.len() == 1);
        let began = core.now;
        while !core.finished.contains(&0) {
            if core.waiting.is_empty() {
                core.waiting.push_back(Duration::from_millis(3));
            }
            core.step();
        }
        let took = core.now - began;
        assert!(took > Duration::from_millis(1800) && took < Duration::from_millis(4500), "{took:?}");
    }

    #[test]
    fn quick_pages_get_through_beside_any_number_of_others() {
        let mut core = Core::new();
        let mut waits = Vec::new();
        // As many pages of 60 ms as clients can ask for.
        for _ in 0..200 {
            core.waiting.resize(50, Duration::from_millis(60));
            let asked = core.now;
            core.waiting_quick.push_back(Duration::from_millis(2));
            core.run_until(|core| core.waiting_quick.is_empty());
            waits.push(core.now - asked);
            core.run_until(|core| core.now > asked + Duration::from_millis(50));
        }
        assert!(waits.iter().all(|wait| *wait <= 2 * SLICE), "{:?}", waits.iter().max());
        assert!(core.in_progress_max <= 2, "{}", core.in_progress_max);
    }

    #[test]
    fn others_keep_a_share_beside_endless_quick_pages() {
        let mut core = Core::new();
        core.waiting = vec![Duration::from_millis(60); 10].into();
        core.run_until(|core| {
            core.finished.len() > 10 || core.waiting.is_empty() && core.begun.is_empty()
        });
        let began = core.now;
        core.waiting = vec![Duration::from_millis(60); 10].into();
        while !core.waiting.is_empty() || !core.begun.is_empty() {
            if core.waiting_quick.is_empty() {
                core.waiting_quick.push_back(Duration::from_millis(3));
            }
            core.step();
        }
        let took = core.now - began;
        assert!(took < Duration::from_millis(1300), "{took:?}");
    }

    #[test]
    fn what_is_not_as_quick_as_expected_comes_after_what_is() {
        let mut core = Core::new();
        core.waiting_quick = [500, 500, 500, 2].map(Duration::from_millis).into();
        core.run_until(|core| !core.finished.is_empty());
        assert_eq!(core.finished, [3]);
        assert!(core.now - Instant::now() < 8 * SLICE);
    }
}
