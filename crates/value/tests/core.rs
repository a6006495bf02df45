//! Strings, references, objects, the heap and the collector through the public interface.

use jumbo_value::heap::{self, pending};
use jumbo_value::{ClassHead, Dying, Heap, Native, OutOfMemory, PObject, PRef, PResource, PStr, PStrBuilder, Raw, Value, View, numeric_key};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

static PLAIN: ClassHead = ClassHead { id: 1, slot_count: 2, flags: 0 };
static DESTRUCT: ClassHead = ClassHead { id: 2, slot_count: 2, flags: ClassHead::HAS_DESTRUCTOR };

fn object(class: &'static ClassHead) -> PObject {
    // SAFETY: static classes outlive everything.
    unsafe { PObject::alloc(class) }
}

#[test]
fn strings() {
    let a = PStr::new(b"hello");
    assert_eq!(a.as_bytes_with_nul(), b"hello\0");
    assert_eq!(PStr::immortal(b"hello"), a);
    assert!(PStr::immortal(b"hello").ptr_eq(&PStr::immortal(b"hello")));
    assert_eq!(PStr::immortal(b"hello").hash(), a.hash());
    assert!(PStr::new(b"").ptr_eq(&PStr::empty()) && PStr::new(b"x").ptr_eq(&PStr::single_byte(b'x')));
    assert_eq!(PStr::single_byte(0xff).as_bytes(), [0xff]);
    assert_eq!(PStr::single_byte(7).hash(), jumbo_value::hash_bytes(&[7]));
    assert_eq!(PStr::concat(&[b"a", b"", b"bc"]), b"abc");
    assert_eq!(PStr::concat2(b"a", b"").as_bytes(), b"a");
    assert!(a > PStr::new(b"hell") && a < PStr::new(b"help"));
    let mut b = a.clone();
    assert_eq!(a.ref_count(), 2);
    b.append(b" world");
    assert_eq!((a.as_bytes(), b.as_bytes()), (&b"hello"[..], &b"hello world"[..]));
    assert_eq!(a.ref_count(), 1);
    b.make_mut()[0] = b'H';
    let hash = b.hash();
    b.truncate(5);
    assert_eq!(b, b"Hello");
    assert_ne!(b.hash(), hash);
    let mut e = PStr::empty();
    e.append(b"x");
    e.append(b"y");
    assert_eq!(e, b"xy");
    assert_eq!(e.slice(1, 99), b"y");
}

#[test]
fn append_grows_through_all_kinds_of_blocks() {
    let mut s = PStr::new(b"ab");
    let mut model = b"ab".to_vec();
    let step = if cfg!(miri) { 3_000 } else { 10_007 };
    for n in 0..600usize {
        let piece = vec![n as u8; n * n % step];
        s.append(&piece);
        model.extend(&piece);
        if model.len() > if cfg!(miri) { 20_000 } else { 7 << 20 } {
            break;
        }
    }
    assert!(s.as_bytes() == model);
    assert_eq!(s.hash(), jumbo_value::hash_bytes(&model));
}

#[test]
fn builder() -> Result<(), OutOfMemory> {
    let mut b = PStrBuilder::new();
    assert!(b.is_empty());
    b.extend(b"")?;
    b.push(b'x')?;
    b.extend(b"yz")?;
    b.push_int(i64::MIN)?;
    write!(b, "{}", 5)?;
    assert_eq!(b.pop(), Some(b'5'));
    b.fill(b'.', 3)?;
    assert_eq!(b.finish(), b"xyz-9223372036854775808...");
    let mut b = PStrBuilder::with_capacity(10_000)?;
    b.fill(b'a', 20)?;
    assert_eq!(b.finish().len(), 20);
    assert!(PStrBuilder::new().finish().ptr_eq(&PStr::empty()));
    Ok(())
}

#[test]
fn a_builder_at_the_limit() {
    let heap = Heap::new();
    let _guard = heap.enter();
    heap.set_limit(8 << 20);
    let mut b = PStrBuilder::new();
    // Half of it again would be too much long before the end; what fits is taken all the same.
    while b.extend(&[b'x'; 1000]).is_ok() {}
    assert!(b.len() > 5 << 20, "{}", b.len());
    let refusal = heap.take_refusal().expect("it is remembered");
    assert!(refusal.limit == 8 << 20 && refusal.tried > b.len() && !refusal.by_system);
    assert!(heap.take_refusal().is_none());
    heap.end_reserve();
    assert!(b.reserve(usize::MAX / 2).is_err() && write!(b, "{}", "y".repeat(5_000_000)).is_err() && heap.try_charge(9 << 20).is_err());
    assert!(heap.take_refusal().is_some());
    let len = b.len();
    assert!(b.iter().take(len / 1000 * 1000).all(|byte| *byte == b'x'));
    assert_eq!(b.finish().len(), len);
}

#[test]
fn array_keys() {
    for (text, key) in [
        ("0", Some(0)),
        ("-0", None),
        ("5", Some(5)),
        ("-5", Some(-5)),
        ("05", None),
        ("+5", None),
        ("", None),
        ("-", None),
        (" 5", None),
        ("5 ", None),
        ("1.5", None),
        ("9223372036854775807", Some(i64::MAX)),
        ("9223372036854775808", None),
        ("-9223372036854775807", Some(-i64::MAX)),
        ("-9223372036854775808", Some(i64::MIN)),
        ("-9223372036854775809", None),
        ("99999999999999999999", None),
        ("18446744073709551617", None),
    ] {
        assert_eq!(numeric_key(text.as_bytes()), key, "{text}");
    }
}

#[test]
fn values() {
    assert_eq!(size_of::<Value>(), 16);
    let v = Value::from("text");
    assert_eq!(v.as_bytes(), Some(&b"text"[..]));
    assert!(v.raw().is_counted());
    assert!(!Value::from(PStr::immortal(b"immortal")).raw().is_counted());
    assert!(matches!(Value::from(true).view(), View::Bool(true)));
    assert_eq!(Value::from(3).as_int(), Some(3));
    assert_eq!(Value::from(1.5).as_float(), Some(1.5));
    assert!(Value::from(None::<i64>).is_null());
    let mut x = Value::from(1);
    let r = x.make_ref();
    r.set(Value::from(2));
    assert_eq!(x.deref().as_int(), Some(2));
    x.assign(Value::from(3));
    assert_eq!(r.get().as_int(), Some(3));
    assert_eq!(x.type_name(), "integer");
    assert_eq!(r.update(|v| std::mem::replace(v, Value::from(9))).as_int(), Some(3));
    drop(r);
    assert_eq!(x.into_deref().as_int(), Some(9));
}

#[test]
fn size_classes() {
    for size in 1..=3072 {
        let class = heap::size_class(size);
        assert!(heap::class_size(class) >= size, "{size}");
        assert!(class == 0 || heap::class_size(class - 1) < size, "{size}");
    }
    assert_eq!(heap::size_class(3073), 0xff);
}

/// Are these bytes all the same? Compared as a whole, which Miri does at once.
///
/// # Safety
/// A block of at least this size.
unsafe fn filled(block: std::ptr::NonNull<u8>, size: usize, with: u8) -> bool {
    // SAFETY: as promised.
    unsafe { std::slice::from_raw_parts(block.as_ptr(), size) == vec![with; size] }
}

#[test]
fn blocks_do_not_overlap() {
    let heap = Heap::new();
    let _guard = heap.enter();
    let mut blocks: Vec<(std::ptr::NonNull<u8>, usize, u8)> = Vec::new();
    let mut seed = 12345u64;
    let rounds = if cfg!(miri) { 100 } else { 20_000 };
    for n in 0..rounds {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let r = (seed >> 33) as usize;
        if r % 3 == 0 && !blocks.is_empty() {
            let (p, size, tag) = blocks.swap_remove(r % blocks.len());
            // SAFETY: our block.
            unsafe {
                assert!(filled(p, size, tag));
                heap::free(p, size);
            }
        } else {
            let max = match r % 100 {
                0 if !cfg!(miri) => 5 << 20,
                1..5 => if cfg!(miri) { 9000 } else { 200_000 },
                _ => 400,
            };
            let size = (seed >> 13) as usize % max + 1;
            let p = heap::alloc(size);
            // SAFETY: our block.
            unsafe { p.write_bytes(n as u8, size) };
            blocks.push((p, size, n as u8));
            if blocks.len() > 800 {
                let (p, size, tag) = blocks.remove(0);
                let new = (seed >> 7) as usize % (size * 2) + 1;
                // SAFETY: our block.
                unsafe {
                    let q = heap::realloc(p, size, new);
                    assert!(filled(q, size.min(new), tag));
                    heap::free(q, new);
                }
            }
        }
    }
    for (p, size, tag) in blocks {
        // SAFETY: our block.
        unsafe {
            assert!(filled(p, size, tag));
            heap::free(p, size);
        }
    }
    assert_eq!(heap.usage(), 0);
    assert!(heap.peak() > 0 && heap.real_usage() > 0);
    // SAFETY: nothing is left.
    unsafe { heap.reset() };
    assert_eq!(heap.real_usage(), 0);
}

#[test]
fn memory_limit() {
    let heap = Heap::new();
    let _guard = heap.enter();
    heap.set_limit(8 << 20);
    let mut s = PStr::new(b"some text");
    let error = catch_unwind(AssertUnwindSafe(|| {
        loop {
            let copy = s.clone();
            s.append(&copy);
        }
    }))
    .unwrap_err();
    let limit = error.downcast_ref::<jumbo_value::MemoryLimit>().unwrap();
    assert_eq!(limit.limit, 8 << 20);
    assert!(limit.tried > 1 << 20);
    // Still whole, and there is a reserve for reporting.
    assert!(s.len() > 1000 && s.starts_with(b"some text"));
    drop(PStr::build(3 << 20, |_| {}));
    heap.end_reserve();
    assert!(catch_unwind(|| PStr::with_capacity(8 << 20)).is_err());
    heap.end_reserve();
    assert!(catch_unwind(|| PStr::with_capacity(usize::MAX)).is_err());
    assert!(catch_unwind(AssertUnwindSafe(|| heap.charge(9 << 20))).is_err());
    drop(s);
}

#[test]
fn freeing_finds_the_owner() {
    let (a, b) = (Heap::new(), Heap::new());
    let in_a = {
        let _guard = a.enter();
        (PStr::new(b"belongs to a"), object(&PLAIN))
    };
    let _guard = b.enter();
    let used = a.usage();
    drop(in_a);
    assert!(a.usage() < used);
    assert_eq!((a.usage(), b.usage(), a.object_count()), (0, 0, 0));
}

#[test]
fn object_ids_and_slots() {
    let heap = Heap::new();
    let _guard = heap.enter();
    let (a, b, c) = (object(&PLAIN), object(&PLAIN), object(&PLAIN));
    assert_eq!((a.id(), b.id(), c.id()), (1, 2, 3));
    drop(a);
    drop(c);
    assert_eq!(object(&PLAIN).id(), 3);
    assert_eq!(heap.object_count(), 1);
    let (d, e) = (object(&PLAIN), object(&PLAIN));
    assert_eq!((d.id(), e.id()), (3, 1));
    assert!(b.slot(0).is_undef() && b.slot(99).is_undef());
    b.set_slot(1, Value::from("x"));
    assert_eq!(b.slot(1).as_bytes(), Some(&b"x"[..]));
    let r = PRef::new(Value::from(1));
    b.set_slot(0, Value::from(&r));
    b.assign_slot(0, Value::from(2));
    assert_eq!(r.get().as_int(), Some(2));
    let shared = b.clone_shallow().unwrap();
    assert!(shared.slot(0).is_ref());
    drop((r, shared));
    let copy = b.clone_shallow().unwrap();
    assert!(copy.slot(0).is_int() && b.slot(0).is_ref());
    assert_eq!(heap.live_objects().len(), 4); // b, d, e, copy
    assert!(heap.object(2) == Some(b) && heap.object(77).is_none());
}

#[test]
fn destructors_are_queued() {
    let heap = Heap::new();
    let _guard = heap.enter();
    let (a, b) = (object(&DESTRUCT), object(&DESTRUCT));
    b.set_slot(0, Value::from(a));
    drop(b);
    assert!(heap.has_dying() && heap.pending().get() & pending::DYING != 0);
    let Some(Dying::Object(dying)) = heap.pop_dying() else { panic!("b is dying") };
    assert!(dying.is_destructed() && dying.id() == 2 && !heap.has_dying());
    drop(dying);
    // Only now did its content go.
    let Some(Dying::Object(dying)) = heap.pop_dying() else { panic!("a is dying") };
    // Behind it comes the number of the object that had held it.
    assert!(heap.has_dying() && heap.object(2).is_none());
    let Some(Dying::Number(number)) = heap.pop_dying() else { panic!("b's number is left") };
    drop(number);
    // Resurrected: it lives on, and goes without another call.
    let keep = dying.clone();
    drop(dying);
    assert_eq!(keep.id(), 1);
    drop(keep);
    assert!(!heap.has_dying() && heap.object_count() == 0 && heap.usage() == 0);
}

#[derive(Default)]
struct Holder {
    held: RefCell<Vec<Value>>,
    dropped: Rc<Cell<u32>>,
}
impl Native for Holder {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        for value in self.held.borrow().iter() {
            // A careless clone must do no harm.
            let copy = value.clone();
            visit(&copy);
        }
    }
    fn clear(&mut self) {
        let held = self.held.take();
        drop(held);
    }
}
impl Drop for Holder {
    fn drop(&mut self) {
        self.dropped.set(self.dropped.get() + 1);
    }
}

#[test]
fn cycles() {
    let heap = Heap::new();
    let _guard = heap.enter();
    // An object in itself, through a reference, and through native state.
    let a = object(&PLAIN);
    a.set_slot(0, Value::from(&a));
    drop(a);
    let a = object(&PLAIN);
    let r = PRef::new(Value::from(&a));
    a.set_slot(0, Value::from(&r));
    drop(a);
    drop(r);
    let a = object(&PLAIN);
    let dropped = Rc::new(Cell::new(0));
    let holder = Holder { dropped: dropped.clone(), held: RefCell::default() };
    holder.held.borrow_mut().push(Value::from(&a));
    assert!(a.set_native(Box::new(holder)).is_ok());
    assert!(a.set_native(Box::new(Holder::default())).is_err());
    assert!(a.native::<Holder>().is_some() && a.native::<u32>().is_none());
    drop(a);
    // Held from outside.
    let keep = object(&PLAIN);
    let inner = object(&PLAIN);
    keep.set_slot(0, Value::from(&inner));
    inner.set_slot(1, Value::from(&keep));
    inner.set_slot(0, Value::from("content"));
    drop(inner);
    assert_eq!(heap.object_count(), 5);
    assert!(heap.gc_status().roots > 0);
    assert_eq!(heap.gc_collect(|_| ()), 3);
    assert_eq!((heap.object_count(), dropped.get()), (2, 1));
    assert_eq!(keep.slot(0).as_object().unwrap().slot(0).as_bytes(), Some(&b"content"[..]));
    assert_eq!(keep.ref_count(), 2);
    drop(keep);
    assert_eq!(heap.gc_collect(|_| ()), 2);
    assert_eq!((heap.usage(), heap.gc_collect(|_| ())), (0, 0));
}

#[test]
fn cycles_with_destructors() {
    let heap = Heap::new();
    let _guard = heap.enter();
    let saved: RefCell<Option<PObject>> = RefCell::new(None);
    for _ in 0..2 {
        let (a, b) = (object(&DESTRUCT), object(&PLAIN));
        a.set_slot(0, Value::from(&b));
        b.set_slot(0, Value::from(&a));
    }
    let called = Cell::new(0);
    let freed = heap.gc_collect(|object| {
        object.mark_destructed();
        called.set(called.get() + 1);
        // The first one comes back to life.
        if saved.borrow().is_none() {
            *saved.borrow_mut() = Some(object.clone());
        }
    });
    assert_eq!((called.get(), freed, heap.object_count()), (2, 2, 2));
    drop(saved.take());
    assert_eq!(heap.gc_collect(|_| panic!("no destructor twice")), 2);
    assert_eq!(heap.usage(), 0);
}

/// What the table of so many objects counts: it doubles from 1,024 entries, which are free, and does not shrink before the request ends.
fn table_bytes(objects: usize) -> usize {
    (objects.next_power_of_two().max(1024) - 1024) * 8
}

#[test]
fn many_roots_and_requests() {
    let heap = Heap::new();
    let _guard = heap.enter();
    let count = if cfg!(miri) { 200 } else { 40_000 };
    for _ in 0..count {
        let a = object(&PLAIN);
        a.set_slot(0, Value::from(&a));
    }
    if !cfg!(miri) {
        assert!(heap.pending().get() & pending::GC != 0);
    }
    // Freed ones leave the buffer, also behind place 16,383.
    let objects = heap.live_objects();
    for object in objects.iter().rev().step_by(2) {
        object.set_slot(0, Value::NULL);
    }
    drop(objects);
    assert_eq!(heap.object_count(), count / 2);
    // What came after the request waits for the next collection.
    let early = heap.gc_collect_requested(|_| ());
    assert!(cfg!(miri) || (early > 0 && early < count / 2));
    assert_eq!(early + heap.gc_collect(|_| ()), count / 2);
    assert_eq!((heap.usage(), heap.pending().get(), heap.gc_status().roots), (table_bytes(count), 0, 0));
}

#[test]
fn deep_nesting_is_freed_without_recursion() {
    let heap = Heap::new();
    let _guard = heap.enter();
    let mut outer = Value::NULL;
    let depth = if cfg!(miri) { 150 } else { 300_000 };
    for _ in 0..depth {
        let o = object(&PLAIN);
        o.set_slot(0, outer);
        outer = o.into();
    }
    drop(outer);
    assert_eq!((heap.object_count(), heap.usage()), (0, table_bytes(depth)));
}

#[test]
fn resources() {
    let heap = Heap::new();
    let _guard = heap.enter();
    let dropped = Rc::new(Cell::new(0));
    let native = || Box::new(Holder { dropped: dropped.clone(), held: RefCell::default() });
    let r = PResource::new("stream", native());
    assert_eq!((r.id(), r.type_name()), (1, "stream"));
    let borrow = r.native::<Holder>().unwrap();
    r.close();
    assert!(r.is_closed() && r.native::<Holder>().is_none());
    assert_eq!(dropped.get(), 0);
    drop(borrow);
    assert_eq!((dropped.get(), r.type_name()), (1, "Unknown"));
    assert_eq!(Value::from(&r).type_name(), "resource (closed)");
    let s = PResource::new("stream", native());
    assert_eq!(s.id(), 2);
    std::mem::forget(s);
    let o = object(&PLAIN);
    assert!(o.set_native(native()).is_ok());
    std::mem::forget(o);
    drop(r);
    // SAFETY: the handles left were forgotten.
    unsafe { heap.reset() };
    assert_eq!((dropped.get(), heap.object_count()), (3, 0));
    assert_eq!(PResource::new("stream", native()).id(), 1);
}

#[test]
fn raw_slots() {
    let r = PRef::new(Value::from(1));
    let mut slot = Raw::reference(r.clone());
    // SAFETY: the slot owns a count.
    unsafe {
        Raw::replace_slot(Raw::deref_slot(&raw mut slot), Raw::int(5));
        assert_eq!(slot.copy_deref().as_int(), 5);
        slot.release();
    }
    assert_eq!((r.get().as_int(), r.ref_count()), (Some(5), 1));
}

#[test]
fn cycles_through_arrays() {
    use jumbo_value::{Key, PArray};
    let heap = Heap::new();
    let _guard = heap.enter();
    // $a = []; $a[0] = &$a; unset($a)
    let variable = PRef::new(Value::empty_array());
    variable.update(|v| v.as_array_mut().unwrap().push(Value::from(&variable)).unwrap());
    // While it was being changed the reference held null; the array in it now holds the reference.
    assert_eq!(variable.ref_count(), 2);
    drop(variable);
    assert_eq!((heap.gc_status().roots, heap.gc_collect(|_| ())), (1, 1));
    assert_eq!(heap.usage(), 0);
    // $o->dynamic = [[$o]]
    let o = object(&PLAIN);
    let inner = PArray::from_values([Value::from(&o), Value::from("text")]);
    o.update_dynamic(|table| table.set(Key::Str(PStr::new(b"dynamic")), Value::from(PArray::from_values([Value::from(inner)]))));
    assert!(o.has_dynamic() && o.dynamic().unwrap().len() == 1);
    drop(o);
    // The object (its table counts with it) and two arrays.
    assert_eq!(heap.gc_collect(|_| ()), 3);
    assert_eq!(heap.usage(), 0);
}

#[test]
fn deep_arrays_are_freed_without_recursion() {
    use jumbo_value::PArray;
    let heap = Heap::new();
    let _guard = heap.enter();
    let mut outer = Value::from("innermost");
    for _ in 0..if cfg!(miri) { 150 } else { 300_000 } {
        outer = PArray::from_values([outer]).into();
    }
    drop(outer);
    assert_eq!(heap.usage(), 0);
}

#[test]
fn equal_literals_are_one_array() {
    use jumbo_value::{Key, PArray};
    let make = |last: f64| {
        let inner = PArray::immortal(vec![(Key::Int(0), Value::from(true))]);
        PArray::immortal(vec![
            (Key::Str(PStr::immortal(b"key")), Value::from(PStr::immortal(b"text"))),
            (Key::Int(5), Value::from(inner)),
            (Key::Int(6), Value::from(last)),
        ])
    };
    assert!(make(0.0).same(&make(0.0)));
    assert!(!make(0.0).same(&make(-0.0)));
    assert!(!make(0.0).same(&PArray::immortal(vec![(Key::Int(0), Value::from(0.0))])));
}
