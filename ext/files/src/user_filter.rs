//! Filters that are objects of user classes, and the buckets they work on.

use jumbo_abi::stream::{Filter, FilterSlot, Streams, stream_argument};
use jumbo_abi::{ClassPtr, Cx, PObject, PRef, PResource, PStr, Res, Value};
use jumbo_value::{Heap, PStrBuilder};
use jumbo_value::object::Native;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

const BRIGADE: &str = "userfilter.bucket brigade";
const BUCKET: &str = "userfilter.bucket";

/// Pieces of data on their way, each with the bucket that it came in.
#[derive(Default)]
struct Brigade(RefCell<VecDeque<(Option<PResource>, PStr)>>);
struct Bucket;

impl Native for Brigade {}
impl Native for Bucket {}

struct UserFilter {
    object: PObject,
    /// Weak in spirit: the stream may have been closed when the filter runs for the last time.
    stream: PResource,
    closed: Cell<bool>,
}

/// Makes a filter of a registered class. None: it refused or the class does not exist.
pub fn make(cx: &mut Cx, name: &[u8], class: &PStr, params: &Value, stream: &PResource) -> Res<Option<Rc<FilterSlot>>> {
    let Some(found) = cx.find_class(class.as_bytes(), true)? else {
        let text = [b"User-filter \"".as_slice(), name, b"\" requires class \"", class.as_bytes(), b"\", but that class is not defined"];
        cx.warning(text)?;
        return Ok(None);
    };
    let object = cx.new_object(found)?;
    cx.write_property(&object, b"filtername", PStr::new(name))?;
    cx.write_property(&object, b"params", params.copy_deref())?;
    if found.method(b"oncreate").is_some() {
        let answer = cx.call_method(&object, b"oncreate", &[])?;
        if answer.deref().is_false() {
            return Ok(None);
        }
    }
    let filter: Rc<dyn Filter> = Rc::new(UserFilter { object, stream: stream.clone(), closed: Cell::new(false) });
    Ok(Some(Rc::new(FilterSlot { name: PStr::new(name), filter })))
}

impl Filter for UserFilter {
    fn filter(&self, cx: &mut Cx, input: &[u8], closing: bool, output: &mut PStrBuilder) -> Res<bool> {
        let mut pieces = VecDeque::new();
        if !input.is_empty() {
            pieces.push_back((None, PStr::new(input)));
        }
        let incoming = PResource::new(BRIGADE, Box::new(Brigade(RefCell::new(pieces))));
        let outgoing = PResource::new(BRIGADE, Box::new(Brigade::default()));
        let consumed = PRef::new(Value::from(0i64));
        // A class that has no such property gets none.
        let object = Value::from(self.object.clone());
        let has_stream = cx.call_builtin("property_exists", &[object, Value::from("stream")])?;
        let has_stream = matches!(has_stream.view(), jumbo_abi::View::Bool(true));
        if has_stream && !self.stream.is_closed() {
            cx.write_property(&self.object, b"stream", Value::from(self.stream.clone()))?;
        }
        if ClassPtr::of(&self.object).method(b"filter").is_none() {
            cx.warning("Failed to call filter function")?;
            return Ok(false);
        }
        let args = [Value::from(incoming.clone()), Value::from(outgoing.clone()), Value::from(consumed), Value::from(closing)];
        let answer = cx.call_method(&self.object, b"filter", &args);
        // The object does not keep its stream alive between the calls.
        if has_stream {
            cx.write_property(&self.object, b"stream", Value::null())?;
        }
        let verdict = jumbo_value::convert::to_int(answer?.deref());
        if let Some(rest) = incoming.native::<Brigade>()
            && !rest.0.borrow().is_empty()
        {
            cx.warning("Unprocessed filter buckets remaining on input brigade")?;
        }
        match verdict {
            2 => {
                if let Some(brigade) = outgoing.native::<Brigade>() {
                    for (_, piece) in brigade.0.borrow().iter() {
                        output.extend(piece.as_bytes())?;
                    }
                }
                Ok(true)
            }
            1 => Ok(true),
            _ => Ok(false),
        }
    }
    fn close(&self, cx: &mut Cx) -> Res<()> {
        if !self.closed.replace(true) && ClassPtr::of(&self.object).method(b"onclose").is_some() {
            cx.call_method(&self.object, b"onclose", &[])?;
        }
        Ok(())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

pub fn stream_filter_register(cx: &mut Cx, filter_name: &PStr, class: &PStr) -> Res<bool> {
    if filter_name.is_empty() {
        return Err(cx.arg_value_error(1, "must be a non-empty string"));
    }
    if class.is_empty() {
        return Err(cx.arg_value_error(2, "must be a non-empty string"));
    }
    let lower: Box<[u8]> = filter_name.as_bytes().to_ascii_lowercase().into();
    let extensions = jumbo_abi::registry::try_get().map_or(&[][..], |r| &r.extensions);
    let is_builtin = extensions.iter().flat_map(|e| e.filters).any(|f| f.name.as_bytes() == &*lower);
    let table = &mut cx.state::<Streams>().user_filters;
    if is_builtin || table.contains_key(&lower) {
        return Ok(false);
    }
    Heap::try_charge_current(lower.len())?;
    table.insert(lower, class.clone());
    Ok(true)
}

fn brigade_argument(cx: &mut Cx, value: &Value) -> Res<jumbo_value::resource::NativeRef<Brigade>> {
    let Some(resource) = value.deref().as_resource() else {
        let given = jumbo_abi::args::type_name(value);
        return Err(cx.arg_type_error(1, [b"must be of type resource, ".as_slice(), &given, b" given"]));
    };
    match resource.native::<Brigade>() {
        Some(brigade) => Ok(brigade),
        None => {
            let function = cx.active_function_name();
            Err(cx.type_error([function.as_slice(), b"(): supplied resource is not a valid userfilter.bucket brigade resource"]))
        }
    }
}

/// A StreamBucket with this content.
fn bucket(cx: &mut Cx, data: PStr) -> Res<PObject> {
    let class = cx.builtin_class(b"streambucket");
    let object = cx.new_object(class)?;
    let length = data.len() as i64;
    object.set_slot(0, Value::from(PResource::new(BUCKET, Box::new(Bucket))));
    object.set_slot(1, Value::from(data));
    object.set_slot(2, Value::from(length));
    object.set_slot(3, Value::from(length));
    Ok(object)
}

pub fn stream_bucket_make_writeable(cx: &mut Cx, brigade: &Value) -> Res<Option<PObject>> {
    let brigade = brigade_argument(cx, brigade)?;
    let first = brigade.0.borrow_mut().pop_front();
    match first {
        Some((_, data)) => bucket(cx, data).map(Some),
        None => Ok(None),
    }
}

fn attach(cx: &mut Cx, brigade: &Value, bucket: &PObject, first: bool) -> Res<()> {
    let brigade = brigade_argument(cx, brigade)?;
    let data = cx.read_property(bucket, b"data")?;
    let data = cx.to_string(data.deref())?;
    let own = cx.read_property(bucket, b"bucket")?.deref().as_resource().cloned();
    let mut list = brigade.0.borrow_mut();
    // A bucket is in one place: attached again, it moves.
    if own.is_some() {
        list.retain(|(known, _)| *known != own);
    }
    if first {
        list.push_front((own, data));
    } else {
        list.push_back((own, data));
    }
    Ok(())
}

pub fn stream_bucket_append(cx: &mut Cx, brigade: &Value, bucket: &PObject) -> Res<()> {
    attach(cx, brigade, bucket, false)
}

pub fn stream_bucket_prepend(cx: &mut Cx, brigade: &Value, bucket: &PObject) -> Res<()> {
    attach(cx, brigade, bucket, true)
}

pub fn stream_bucket_new(cx: &mut Cx, stream: &Value, buffer: &PStr) -> Res<PObject> {
    stream_argument(cx, stream, 1)?;
    bucket(cx, buffer.clone())
}
