//! spl_* and iterator_* functions.

use jumbo_abi::desc::NativeIterator;
use jumbo_abi::{Callable, ClassPtr, Cx, Key, OrFalse, PArray, PObject, PStr, Res, Value, View};
use jumbo_value::Heap;
use std::rc::Rc;

/// The class of an object or a class name; None after PHP's warning.
fn class_of(cx: &mut Cx, value: &Value, autoload: bool) -> Res<Option<ClassPtr>> {
    if let Some(o) = value.deref().as_object() {
        return Ok(Some(ClassPtr::of(o)));
    }
    let Some(name) = value.deref().as_str().cloned() else {
        return Err(cx.arg_type_error(1, [b"must be of type object|string, ".as_slice(), &jumbo_abi::args::type_name(value), b" given"].concat()));
    };
    let found = cx.find_class(name.as_bytes(), autoload)?;
    if found.is_none() {
        let tail: &[u8] = if autoload { b" does not exist and could not be loaded" } else { b" does not exist" };
        cx.warning([b"Class ".as_slice(), name.as_bytes(), tail].concat())?;
    }
    Ok(found)
}

fn names(classes: impl Iterator<Item = ClassPtr>) -> PArray {
    let mut array = PArray::new();
    for c in classes {
        array.set(Key::from_str(&c.name), Value::from(c.name.clone()));
    }
    array
}

pub fn class_implements(cx: &mut Cx, object_or_class: &Value, autoload: bool) -> Res<OrFalse<PArray>> {
    let class = class_of(cx, object_or_class, autoload)?;
    Ok(OrFalse(class.map(|c| names(c.interfaces.iter().copied()))))
}

pub fn class_parents(cx: &mut Cx, object_or_class: &Value, autoload: bool) -> Res<OrFalse<PArray>> {
    let class = class_of(cx, object_or_class, autoload)?;
    Ok(OrFalse(class.map(|c| names(std::iter::successors(c.parent, |p| p.parent)))))
}

pub fn class_uses(cx: &mut Cx, object_or_class: &Value, autoload: bool) -> Res<OrFalse<PArray>> {
    let class = class_of(cx, object_or_class, autoload)?;
    Ok(OrFalse(class.map(|c| names(c.traits.iter().copied()))))
}

/// What an autoloader takes in the list: its place, and itself behind the counts of an Rc.
const LOADER_BYTES: usize = size_of::<Callable>() + 4 * size_of::<usize>();

pub fn spl_autoload_register(cx: &mut Cx, callback: Option<&Callable>, throw: bool, prepend: bool) -> Res<bool> {
    if !throw {
        cx.notice("Argument #2 ($do_throw) has been ignored, spl_autoload_register() will always throw")?;
    }
    let callable = match callback {
        Some(c) => c.clone(),
        None => match cx.resolve_callable(&Value::from(PStr::new(b"spl_autoload")))? {
            Ok(c) => c,
            Err(why) => return Err(cx.throw_error(why)),
        },
    };
    if is_spl_autoload_call(&callable) {
        return Err(cx.arg_value_error(1, "must not be the spl_autoload_call() function"));
    }
    let loaders = &mut cx.autoloaders;
    if loaders.position(&callable).is_some() {
        return Ok(true);
    }
    Heap::try_charge_current(LOADER_BYTES)?;
    let list = &mut loaders.list;
    if prepend {
        list.insert(0, Rc::new(callable));
    } else {
        list.push(Rc::new(callable));
    }
    Ok(true)
}

/// The function that asks all autoloaders.
fn is_spl_autoload_call(callable: &Callable) -> bool {
    callable.function.scope.is_none() && callable.function.desc().is_some_and(|d| d.name == "spl_autoload_call")
}

pub fn spl_autoload_unregister(cx: &mut Cx, callback: &Callable) -> bool {
    if is_spl_autoload_call(callback) {
        // The function for all of them stands for all of them.
        let gone = std::mem::take(&mut cx.autoloaders.list);
        Heap::uncharge_current(gone.len() * LOADER_BYTES);
        drop(gone);
        return true;
    }
    let loaders = &mut cx.autoloaders;
    match loaders.position(callback) {
        Some(at) => {
            let gone = loaders.list.remove(at);
            drop(gone);
            Heap::uncharge_current(LOADER_BYTES);
            true
        }
        None => false,
    }
}

pub fn spl_autoload_functions(cx: &mut Cx) -> PArray {
    let list = cx.autoloaders.list.clone();
    let shown = list.into_iter().map(|c| {
        let name = || Value::from(c.magic_name.clone().unwrap_or_else(|| c.function.name.clone()));
        match (&c.closure, &c.this, c.class) {
            (Some(closure), ..) => Value::from(closure.clone()),
            // Callable by its __invoke.
            (None, Some(this), _) if c.value.is_object() => Value::from(this.clone()),
            (None, Some(this), _) => Value::from(PArray::from_values([Value::from(this.clone()), name()])),
            (None, None, Some(class)) => Value::from(PArray::from_values([Value::from(class.name.clone()), name()])),
            _ => name(),
        }
    });
    shown.collect()
}

pub fn spl_autoload_call(cx: &mut Cx, class: &PStr) -> Res<()> {
    let list = cx.autoloaders.list.clone();
    for callable in list {
        cx.call(&callable, &[Value::from(class)])?;
        if cx.find_class(class.as_bytes(), false)?.is_some() {
            break;
        }
    }
    Ok(())
}

#[derive(Default)]
struct Extensions(Option<PStr>);

pub fn spl_autoload_extensions(cx: &mut Cx, file_extensions: Option<&PStr>) -> Option<PStr> {
    if let Some(e) = file_extensions {
        cx.state::<Extensions>().0 = Some(e.clone());
    }
    Some(cx.state::<Extensions>().0.clone().unwrap_or_else(|| PStr::new(b".inc,.php")))
}

pub fn spl_autoload(cx: &mut Cx, class: &PStr, file_extensions: Option<&PStr>) -> Res<()> {
    let extensions = match file_extensions {
        Some(e) => e.clone(),
        None => spl_autoload_extensions(cx, None).unwrap_or_default(),
    };
    let name = class.as_bytes();
    let lower = name.strip_prefix(b"\\").unwrap_or(name).to_ascii_lowercase();
    let stem: Vec<u8> = lower.iter().map(|&b| if b == b'\\' { b'/' } else { b }).collect();
    for extension in extensions.as_bytes().split(|&b| b == b',') {
        let path = PStr::concat(&[&stem, extension]);
        if cx.engine().resolve_include(cx, path.as_bytes()).is_some() {
            cx.engine().include(cx, &path, jumbo_abi::IncludeKind::RequireOnce)?;
            if cx.find_class(class.as_bytes(), false)?.is_some() {
                return Ok(());
            }
        }
    }
    Ok(())
}

pub fn spl_classes(_cx: &mut Cx) -> PArray {
    let spl = jumbo_abi::registry::get().extensions.iter().filter(|e| e.name == "SPL");
    let mut array = PArray::new();
    for class in spl.flat_map(|e| e.classes) {
        let name = PStr::new(class.name.as_bytes());
        array.set_str(&name, name.clone());
    }
    array
}

pub fn spl_object_hash(_cx: &mut Cx, object: &PObject) -> PStr {
    PStr::new(format!("{:032x}", object.id()).as_bytes())
}

pub fn spl_object_id(_cx: &mut Cx, object: &PObject) -> i64 {
    i64::from(object.id())
}

/// Goes over a Traversable and asks of it no more than `each` does: counting calls neither current() nor key().
fn walk(cx: &mut Cx, object: &PObject, each: &mut dyn FnMut(&mut Cx, &dyn NativeIterator) -> Res<bool>) -> Res<()> {
    let steps = cx.traverse(object)?;
    steps.rewind(cx)?;
    while steps.valid(cx)? {
        if !each(cx, &*steps)? {
            break;
        }
        steps.next(cx)?;
    }
    Ok(())
}

pub fn iterator_apply(cx: &mut Cx, iterator: &PObject, callback: &Callable, args: Option<&PArray>) -> Res<i64> {
    let args: Vec<Value> = args.map(|a| a.values().cloned().collect()).unwrap_or_default();
    let mut n = 0;
    walk(cx, iterator, &mut |cx, _| {
        n += 1;
        let answer = cx.call(callback, &args)?;
        crate::support::truth(cx, &answer)
    })?;
    Ok(n)
}

pub fn iterator_count(cx: &mut Cx, iterator: &Value) -> Res<i64> {
    let mut n = 0;
    match iterator.view_deref() {
        View::Array(a) => return Ok(a.len() as i64),
        View::Object(o) => walk(cx, &o.clone(), &mut |_, _| {
            n += 1;
            Ok(true)
        })?,
        _ => {}
    }
    Ok(n)
}

pub fn iterator_to_array(cx: &mut Cx, iterator: &Value, preserve_keys: bool) -> Res<PArray> {
    let mut array = PArray::new();
    match iterator.view_deref() {
        View::Array(a) => return Ok(if preserve_keys { a.clone() } else { a.values().cloned().collect() }),
        View::Object(o) => walk(cx, &o.clone(), &mut |cx, steps| {
            let value = steps.current(cx)?.into_deref();
            if preserve_keys {
                let key = steps.key(cx)?.into_deref();
                let key = cx.engine().array_key(cx, &key)?;
                array.set(key, value);
            } else {
                array.append(value);
            }
            Ok(true)
        })?,
        _ => {}
    }
    Ok(array)
}
