//! Arrays against a model: a plain vector of entries in insertion order, with PHP's rule for the next free key.

use jumbo_value::{Heap, Key, KeyRef, PArray, PRef, PStr, Value};

#[derive(Clone, Default)]
struct Model {
    entries: Vec<(Key, i64)>,
    /// None: no int key was ever there.
    next: Option<i64>,
    full: bool,
}

impl Model {
    fn at(&self, key: &Key) -> Option<usize> {
        self.entries.iter().position(|(k, _)| k == key)
    }
    fn set(&mut self, key: Key, value: i64) {
        match self.at(&key) {
            Some(at) => self.entries[at].1 = value,
            None => {
                if let Key::Int(i) = key
                    && self.next.is_none_or(|n| i >= n)
                {
                    self.full |= i == i64::MAX;
                    self.next = Some(i.saturating_add(1));
                }
                self.entries.push((key, value));
            }
        }
    }
    fn push(&mut self, value: i64) -> bool {
        if self.full {
            return false;
        }
        let key = self.next.unwrap_or(0);
        self.set(Key::Int(key), value);
        true
    }
    fn remove(&mut self, key: &Key) -> Option<i64> {
        self.at(key).map(|at| self.entries.remove(at).1)
    }
    fn pop(&mut self) -> Option<i64> {
        let (key, value) = self.entries.pop()?;
        if let (Key::Int(i), Some(n)) = (key, self.next)
            && i.saturating_add(1) == n
        {
            self.next = Some(i);
            self.full = false;
        }
        Some(value)
    }
    fn shift(&mut self) -> Option<i64> {
        if self.entries.is_empty() {
            return None;
        }
        let (_, value) = self.entries.remove(0);
        let mut n = 0;
        for (key, _) in &mut self.entries {
            if let Key::Int(i) = key {
                *i = n;
                n += 1;
            }
        }
        self.next = Some(n);
        self.full = false;
        Some(value)
    }
}

fn check(array: &PArray, model: &Model, what: &str) {
    let got: Vec<(Key, i64)> = array.iter().map(|(k, v)| (k.to_key(), v.as_int().unwrap())).collect();
    assert_eq!(got, model.entries, "{what}");
    assert_eq!(array.len(), model.entries.len(), "{what}");
    let back: Vec<Key> = array.iter().rev().map(|(k, _)| k.to_key()).collect();
    assert!(back.iter().rev().eq(model.entries.iter().map(|(k, _)| k)), "{what}");
    assert_eq!(array.is_list(), model.entries.iter().enumerate().all(|(n, (k, _))| *k == Key::Int(n as i64)), "{what}");
    for (k, v) in &model.entries {
        assert_eq!(array.get(k).and_then(Value::as_int), Some(*v), "{what} {k:?}");
        if let Key::Str(s) = k {
            assert_eq!(array.get_bytes(s.as_bytes()).and_then(Value::as_int), Some(*v), "{what} {k:?}");
        }
    }
    assert_eq!(array.first().and_then(|at| array.at(at)).map(|(k, _)| k.to_key()), model.entries.first().map(|e| e.0.clone()));
    assert_eq!(array.last().and_then(|at| array.at(at)).map(|(k, _)| k.to_key()), model.entries.last().map(|e| e.0.clone()));
}

struct Random(u64);
impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

fn key(random: &mut Random, range: u64) -> Key {
    match random.next(20) {
        0..10 => Key::Int(random.next(range) as i64),
        10 => Key::Int(-(random.next(range) as i64)),
        11 if random.next(50) == 0 => Key::Int(i64::MAX),
        11 => Key::Int((random.next(range) as i64) << 40),
        _ => Key::Str(PStr::new(format!("k{}", random.next(range)).as_bytes())),
    }
}

/// `strings`: also keys that make it a hash from the start.
fn run(seed: u64, steps: usize, range: u64, ints_only: bool) {
    let heap = Heap::new();
    let _guard = heap.enter();
    let mut random = Random(seed * 0x9E37_79B9 + 1);
    let mut array = PArray::new();
    let mut model = Model::default();
    let mut copy: Option<(PArray, Model)> = None;
    for step in 0..steps {
        let value = step as i64;
        let mut k = key(&mut random, range);
        if ints_only {
            k = Key::Int(random.next(range) as i64);
        }
        let what = match random.next(14) {
            0..3 => {
                array.set(k.clone(), Value::from(value));
                model.set(k, value);
                "set"
            }
            3..6 => {
                assert_eq!(array.push(Value::from(value)).is_ok(), model.push(value), "push, seed {seed} step {step}");
                "push"
            }
            6..9 => {
                assert_eq!(array.remove(&k).map(|v| v.as_int().unwrap()), model.remove(&k), "remove, seed {seed} step {step}");
                "remove"
            }
            9 => {
                assert_eq!(array.pop().map(|v| v.as_int().unwrap()), model.pop(), "pop, seed {seed} step {step}");
                "pop"
            }
            10 if random.next(6) == 0 => {
                assert_eq!(array.shift().map(|v| v.as_int().unwrap()), model.shift(), "shift, seed {seed} step {step}");
                "shift"
            }
            11 => {
                copy = Some((array.clone(), model.clone()));
                "copy"
            }
            12 => {
                array.with_slot(&k, |slot| {
                    assert_eq!(slot.as_int(), model.at(&k).map(|at| model.entries[at].1));
                    *slot = Value::from(value);
                });
                model.set(k, value);
                "slot"
            }
            13 if random.next(10) == 0 => {
                array.retain(|_, v| v.as_int().is_some_and(|i| i % 3 != 0));
                model.entries.retain(|(_, v)| v % 3 != 0);
                "retain"
            }
            _ => {
                assert_eq!(array.get(&k).and_then(Value::as_int), model.at(&k).map(|at| model.entries[at].1));
                "get"
            }
        };
        check(&array, &model, &format!("{what}, seed {seed} step {step}"));
        if let Some((array, model)) = &copy {
            check(array, model, &format!("copy after {what}, seed {seed} step {step}"));
        }
    }
    drop((array, copy, model));
    assert_eq!(heap.usage(), 0, "seed {seed}");
}

#[test]
fn random_operations() {
    let (seeds, steps) = if cfg!(miri) { (2, 60) } else { (60, 400) };
    for seed in 1..=seeds {
        run(seed, steps, 12, false);
        run(seed, steps, 60, false);
        run(seed, steps, 12, true);
        run(seed, steps, 200, true);
    }
}

#[test]
fn order_of_a_hole_that_is_filled() {
    let mut a = PArray::from_values([1, 2, 3].map(Value::from));
    a.remove(&Key::Int(1));
    a.set_int(1, 9);
    let keys: Vec<Key> = a.keys().map(KeyRef::to_key).collect();
    assert_eq!(keys, [Key::Int(0), Key::Int(2), Key::Int(1)]);
}

#[test]
fn next_free_key() {
    let mut a = PArray::new();
    a.set_int(-5, 1);
    assert!(a.push(Value::from(2)).is_ok());
    assert!(a.get_int(-4).is_some());
    a.set_int(i64::MAX, 1);
    assert!(a.push(Value::from(2)).is_err());
    let mut a = PArray::from_values([1, 2, 3].map(Value::from));
    a.remove(&Key::Int(2));
    assert_eq!(a.next_free_index(), Some(3));
    a.append(4);
    assert!(a.get_int(3).is_some() && a.get_int(2).is_none());
}

#[test]
fn internal_pointer() {
    let mut a = PArray::new();
    for k in ["a", "b", "c"] {
        a.set_bytes(k.as_bytes(), 1);
    }
    a.set_internal_position(a.last());
    a.remove_bytes(b"c");
    assert_eq!(a.internal_position(), None);
    a.remove_bytes(b"b");
    // PHP moves the pointer to the end, where the next element goes.
    a.set_bytes(b"d", 1);
    assert_eq!(a.internal_position(), a.last());
    a.set_internal_position(a.first());
    a.remove_bytes(b"a");
    assert_eq!(a.internal_position(), a.last());
}

#[test]
fn copies_unwrap_references_held_once() {
    let mut a = PArray::new();
    let shared = PRef::new(Value::from(1));
    a.append(Value::from(PRef::new(Value::from(2))));
    a.append(Value::from(&shared));
    let mut b = a.clone();
    b.append(3);
    assert!(b.get_int(0).unwrap().is_int() && b.get_int(1).unwrap().is_ref());
    assert!(a.get_int(0).unwrap().is_ref());
}
