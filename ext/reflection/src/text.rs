//! The texts that `__toString` gives, byte for byte as PHP writes them.
//!
//! A text is made with the indentation of its first line; what is inside stands two or four columns deeper, as PHP has it.

use crate::members::{self, modifiers};
use crate::state::{self, Declared, Func, Prop};
use jumbo_abi::class::{ClassConst, ClassSource};
use jumbo_abi::{ClassPtr, Cx, FnPtr, PObject, PStr, Res, Type, Value, View, class_flags, func_flags, member_flags};
use jumbo_bytecode::unit::ConstExpr;
use jumbo_value::{OutOfMemory, PStrBuilder};

/// A text in the making. What does not fit into memory_limit is told at its end; nothing is added any more from there on.
pub struct Text {
    out: PStrBuilder,
    refused: Option<OutOfMemory>,
}

impl Text {
    pub fn new() -> Text {
        Text { out: PStrBuilder::new(), refused: None }
    }
    pub fn put(&mut self, text: impl AsRef<[u8]>) -> &mut Text {
        if self.refused.is_none() {
            self.refused = self.out.extend(text.as_ref()).err();
        }
        self
    }
    pub fn indent(&mut self, columns: usize) -> &mut Text {
        if self.refused.is_none() {
            self.refused = self.out.fill(b' ', columns).err();
        }
        self
    }
    pub fn number(&mut self, n: usize) -> &mut Text {
        self.put(n.to_string())
    }
    pub fn finish(self) -> Result<PStr, OutOfMemory> {
        match self.refused {
            None => Ok(self.out.finish()),
            Some(refused) => Err(refused),
        }
    }
}

impl Default for Text {
    fn default() -> Text {
        Text::new()
    }
}

// ---- values

/// A default in the form of PHP source: `NULL`, `'text'`, `[1, 'a' => 2]`.
pub fn value_source(cx: &mut Cx, value: &Value, out: &mut Text) -> Res<()> {
    match value.view_deref() {
        View::Undef | View::Null => out.put("NULL"),
        View::Bool(b) => out.put(if b { "true" } else { "false" }),
        View::Str(s) => {
            out.put("'");
            escaped(s.as_bytes(), out);
            out.put("'")
        }
        View::Array(array) => {
            out.put("[");
            let list = array.is_list();
            for (n, (key, value)) in array.entries().into_iter().enumerate() {
                if n > 0 {
                    out.put(", ");
                }
                if !list {
                    value_source(cx, &key.to_value(), out)?;
                    out.put(" => ");
                }
                value_source(cx, &value, out)?;
            }
            out.put("]")
        }
        View::Object(object) => {
            let class = ClassPtr::of(object);
            if class.is_enum() {
                let case = object.slot(0);
                out.put(class.name.as_bytes()).put("::").put(case.as_bytes().unwrap_or_default())
            } else {
                out.put("object(").put(class.name.as_bytes()).put(")")
            }
        }
        View::Float(f) => out.put(jumbo_value::number::float_to_string(f, cx.precision)).put(if whole_float(f) { ".0" } else { "" }),
        _ => {
            let text = cx.to_string(value)?;
            out.put(text.as_bytes())
        }
    };
    Ok(())
}

/// A float that is written without a point or exponent.
fn whole_float(f: f64) -> bool {
    f.is_finite() && f == f.trunc() && f.abs() < 1e15
}

/// As in a double-quoted string, but for the quotes.
fn escaped(bytes: &[u8], out: &mut Text) {
    for &b in bytes {
        match b {
            b'\n' => out.put("\\n"),
            b'\r' => out.put("\\r"),
            b'\t' => out.put("\\t"),
            0x0c => out.put("\\f"),
            0x0b => out.put("\\v"),
            b'\\' => out.put("\\\\"),
            0x1b => out.put("\\e"),
            0..=31 | 127..=255 => out.put(format!("\\x{b:02X}")),
            _ => out.put([b]),
        };
    }
}

/// The value of a constant as its text shows it.
fn shown_value(cx: &mut Cx, value: &Value) -> Res<PStr> {
    match value.view_deref() {
        View::Array(_) => Ok(PStr::new(b"Array")),
        View::Object(_) => Ok(PStr::new(b"Object")),
        _ => cx.to_string(value),
    }
}

/// The type that a value has, as declarations write it.
fn value_type(value: &Value) -> Vec<u8> {
    match value.view_deref() {
        View::Object(o) => ClassPtr::of(o).name.as_bytes().to_vec(),
        View::Bool(_) => b"bool".to_vec(),
        _ => jumbo_abi::args::type_name(value),
    }
}

// ---- parameters

/// The text of parameter `index`'s default, if it has one.
pub fn default_source(cx: &mut Cx, f: &Func, index: usize, out: &mut Text) -> Res<bool> {
    let function = f.get();
    if let Some(desc) = function.desc() {
        if let Some(default) = desc.params.get(index).and_then(|p| p.default) {
            out.put(default);
            return Ok(true);
        }
        return Ok(false);
    }
    if f.invoke {
        return Ok(false);
    }
    let Some(param) = function.proto().and_then(|p| p.params.get(index)) else { return Ok(false) };
    match (&param.default_text, &param.default) {
        (Some(text), _) | (None, Some(ConstExpr::Thunk { text, .. })) => {
            out.put(text.as_bytes());
        }
        (None, Some(ConstExpr::Literal(_))) => {
            let value = cx.engine().param_default(cx, f.function, index)?.unwrap_or_default();
            value_source(cx, &value, out)?;
        }
        (None, None) => return Ok(false),
    }
    Ok(true)
}

pub fn is_optional(f: &Func, index: usize) -> bool {
    index >= f.function.required as usize
}

pub fn parameter(cx: &mut Cx, f: &Func, index: usize) -> Res<PStr> {
    let mut out = Text::new();
    let function = f.get();
    let variadic = function.is(func_flags::VARIADIC) && index + 1 == function.param_count();
    let optional = is_optional(f, index);
    out.put("Parameter #").number(index).put(if optional { " [ <optional> " } else { " [ <required> " });
    if let Some(ty) = function.param_type(index) {
        out.put(ty.display()).put(" ");
    }
    if function.is_by_ref(index as u32) {
        out.put("&");
    }
    if variadic {
        out.put("...");
    }
    out.put("$").put(function.param_name(index));
    if optional && !variadic {
        let mut default = Text::new();
        if default_source(cx, f, index, &mut default)? {
            out.put(" = ").put(default.finish()?);
        } else if f.is_internal() {
            out.put(" = <default>");
        }
    }
    out.put(" ]");
    Ok(out.finish()?)
}

// ---- functions

/// `<user`, `<internal:standard` …
fn origin(out: &mut Text, internal: bool, extension: Option<&str>, deprecated: bool) {
    out.put(if internal { "<internal" } else { "<user" });
    if deprecated {
        out.put(", deprecated");
    }
    if let Some(extension) = extension {
        out.put(":").put(extension);
    }
}

/// `reflected`: the class that is being shown, which may have inherited the method.
pub fn function(cx: &mut Cx, f: &Func, reflected: Option<ClassPtr>, indent: usize, out: &mut Text) -> Res<()> {
    let function = f.get();
    let proto = if f.is_internal() { None } else { function.proto() };
    if let Some(doc) = proto.and_then(|p| p.doc_comment.as_ref()) {
        out.indent(indent).put(doc.as_bytes()).put("\n");
    }
    let method = f.class.is_some();
    out.indent(indent).put(match (f.is_closure() && !f.invoke, method) {
        (true, _) => "Closure [ ",
        (false, true) => "Method [ ",
        (false, false) => "Function [ ",
    });
    origin(out, f.is_internal(), state::extension_of_func(f), function.is(func_flags::DEPRECATED));
    if let (Some(reflected), Some(scope)) = (reflected.or(f.class).filter(|_| method && !f.invoke), function.scope) {
        if scope != reflected {
            out.put(", inherits ").put(scope.name.as_bytes());
        } else if let Some(overwritten) = scope.parent.and_then(|p| p.method(&f.name().as_bytes().to_ascii_lowercase()))
            && !overwritten.is(func_flags::PRIVATE)
            && let Some(owner) = overwritten.scope
        {
            out.put(", overwrites ").put(owner.name.as_bytes());
        }
        if let Some(prototype) = prototype(function).and_then(|p| p.scope) {
            out.put(", prototype ").put(prototype.name.as_bytes());
        }
        if function.is(func_flags::CONSTRUCTOR) {
            out.put(", ctor");
        }
    }
    out.put("> ");
    let flags = f.method_flags();
    for (flag, word) in [(func_flags::ABSTRACT, "abstract "), (func_flags::FINAL, "final "), (func_flags::STATIC, "static ")] {
        if flags & flag != 0 {
            out.put(word);
        }
    }
    if method {
        out.put(members::visibility(members::of_method(flags))).put(" method ");
    } else {
        out.put("function ");
    }
    if function.is(func_flags::RETURNS_REF) {
        out.put("&");
    }
    out.put(f.name().as_bytes()).put(" ] {\n");
    if let (Some(proto), Some(unit)) = (proto, f.unit()) {
        out.indent(indent + 2).put("@@ ").put(unit.file.as_bytes());
        out.put(format!(" {} - {}\n", proto.line_start, proto.line_end));
    }
    if f.is_closure() && !f.invoke {
        bound_variables(cx, f, indent + 2, out);
    }
    parameters(cx, f, indent + 2, out)?;
    if let Some(ty) = function.declared_return_type() {
        let tentative = function.desc().is_some_and(|d| d.tentative);
        out.indent(indent + 2).put(if tentative { "- Tentative return [ " } else { "- Return [ " });
        out.put(ty.display()).put(" ]\n");
    }
    out.indent(indent).put("}\n");
    Ok(())
}

/// The method that this one implements or overrides first; constructors have one only if it is abstract.
pub fn prototype(function: &jumbo_abi::Function) -> Option<FnPtr> {
    function.prototype
}

fn bound_variables(cx: &Cx, f: &Func, indent: usize, out: &mut Text) {
    let Some(info) = f.closure().and_then(|c| cx.engine().closure_info(c)) else { return };
    let names: Vec<PStr> = if info.fake { Vec::new() } else { info.captured.into_iter().map(|(name, _)| name).collect() };
    if names.is_empty() {
        return;
    }
    out.put("\n").indent(indent).put(format!("- Bound Variables [{}] {{\n", names.len()));
    for (n, name) in names.iter().enumerate() {
        out.indent(indent + 4).put(format!("Variable #{n} [ $")).put(name.as_bytes()).put(" ]\n");
    }
    out.indent(indent).put("}\n");
}

fn parameters(cx: &mut Cx, f: &Func, indent: usize, out: &mut Text) -> Res<()> {
    let count = f.function.param_count();
    // PHP code without parameters has no list, unless a return type makes one.
    if count == 0 && f.function.desc().is_none() && f.function.declared_return_type().is_none() {
        return Ok(());
    }
    out.put("\n").indent(indent).put("- Parameters [").number(count).put("] {\n");
    for n in 0..count {
        let text = parameter(cx, f, n)?;
        out.indent(indent + 2).put(text).put("\n");
    }
    out.indent(indent).put("}\n");
    Ok(())
}

// ---- properties and constants

/// The default of a declared property: None when it has none (typed or hooked properties without one).
pub fn property_default(cx: &mut Cx, declared: Declared) -> Res<Option<Value>> {
    let (source, class) = match declared {
        Declared::Instance(p) => {
            if p.is_virtual() || p.is(member_flags::PROMOTED) {
                return Ok(None);
            }
            match p.class.get().slots.get(p.slot as usize) {
                Some(slot) => (&slot.default, slot.class),
                None => return Ok(None),
            }
        }
        Declared::Static(p) => (&p.default, p.class),
    };
    let value = cx.engine().evaluate(cx, source, class)?;
    Ok(if value.is_undef() { None } else { Some(value.copy_deref()) })
}

/// A property without code for its default: texts do not evaluate expressions of other classes' constants twice.
pub fn property(cx: &mut Cx, p: &Prop, indent: usize, out: &mut Text) -> Res<()> {
    let declared = p.declared();
    if let Some(doc) = declared.and_then(Declared::doc_comment) {
        out.indent(indent).put(doc.as_bytes()).put("\n");
    }
    out.indent(indent).put("Property [ ");
    let Some(declared) = declared else {
        out.put("<dynamic> public $").put(p.name.as_bytes()).put(" ]\n");
        return Ok(());
    };
    let flags = members::of_member(declared.flags());
    if flags & modifiers::ABSTRACT != 0 {
        out.put("abstract ");
    }
    if flags & modifiers::FINAL != 0 {
        out.put("final ");
    }
    out.put(members::visibility(flags)).put(" ");
    if flags & modifiers::PRIVATE_SET != 0 {
        out.put("private(set) ");
    } else if flags & modifiers::PROTECTED_SET != 0 {
        out.put("protected(set) ");
    }
    if flags & modifiers::STATIC != 0 {
        out.put("static ");
    }
    if flags & modifiers::READONLY != 0 {
        out.put("readonly ");
    }
    if let Some(ty) = declared.ty() {
        out.put(ty.display()).put(" ");
    }
    out.put("$").put(p.name.as_bytes());
    if let Some(value) = property_default(cx, declared)? {
        out.put(" = ");
        value_source(cx, &value, out)?;
    }
    out.put(" ]\n");
    Ok(())
}

pub fn class_constant(cx: &mut Cx, class: ClassPtr, c: &ClassConst, indent: usize, out: &mut Text) -> Res<()> {
    let value = cx.engine().class_constant(cx, class, c.name.as_bytes())?.unwrap_or_default();
    if let Some(doc) = &c.doc_comment {
        out.indent(indent).put(doc.as_bytes()).put("\n");
    }
    let shown = shown_value(cx, &value)?;
    let ty = c.ty.as_ref().map_or_else(|| value_type(&value), Type::display);
    out.indent(indent).put("Constant [ ").put(if c.is(member_flags::FINAL) { "final " } else { "" });
    out.put(members::visibility(members::of_member(c.flags))).put(" ").put(ty).put(" ").put(c.name.as_bytes());
    out.put(" ] { ").put(shown.as_bytes()).put(" }\n");
    Ok(())
}

/// A global constant.
pub fn constant(cx: &mut Cx, name: &[u8], value: &Value, persistent: bool, deprecated: bool, indent: usize, out: &mut Text) -> Res<()> {
    out.indent(indent).put("Constant [ ");
    if persistent || deprecated {
        out.put(match (persistent, deprecated) {
            (true, true) => "<persistent, deprecated> ",
            (true, false) => "<persistent> ",
            _ => "<deprecated> ",
        });
    }
    let shown = shown_value(cx, value)?;
    let ty = match value.view_deref() {
        View::Resource(_) => b"resource".to_vec(),
        _ => value_type(value),
    };
    out.put(ty).put(" ").put(name).put(" ] { ").put(shown.as_bytes()).put(" }\n");
    Ok(())
}

// ---- classes

/// The methods of a class as it shows them: not the private ones of its parents. Own ones come first, then the parent's, then those of
/// traits and interfaces.
pub fn methods_of(class: ClassPtr) -> Vec<FnPtr> {
    // `__invoke` of a Closure belongs to the object.
    let closure = class.is(class_flags::BUILTIN) && class.lower.as_bytes() == b"closure";
    let shown = |f: &FnPtr| (!f.is(func_flags::PRIVATE) || f.scope == Some(class)) && !(closure && f.name.as_bytes() == b"__invoke");
    method_names(class).iter().filter_map(|name| class.method(name)).filter(shown).collect()
}

fn method_names(class: ClassPtr) -> Vec<&'static [u8]> {
    let methods = &class.get().methods;
    let own = |f: &FnPtr| f.scope == Some(class) && !f.is(func_flags::FROM_TRAIT);
    let mut names: Vec<&'static [u8]> = methods.iter().filter(|(_, f)| own(f)).map(|(name, _)| &**name).collect();
    let inherited = class.parent.map(method_names).unwrap_or_default();
    let rest = methods.keys().map(|name| &**name);
    add_new(&mut names, inherited.into_iter().chain(rest));
    names
}

fn add_new(names: &mut Vec<&'static [u8]>, more: impl Iterator<Item = &'static [u8]>) {
    let mut known: std::collections::HashSet<&'static [u8]> = names.iter().copied().collect();
    names.extend(more.filter(|name| known.insert(name)));
}

/// The declared properties of a class, instance and static ones as they are declared: not the private ones of its parents. Own ones
/// come first, then the parent's, then those of traits and interfaces.
pub fn properties_of(class: ClassPtr) -> Vec<Prop> {
    let own = |p: &Prop| p.declared().is_some_and(|d| d.flags() & member_flags::PRIVATE == 0 || d.class() == class);
    let all = property_names(class).into_iter().map(|name| Prop { class, name: PStr::new(name), dynamic: false });
    all.filter(own).collect()
}

fn property_names(class: ClassPtr) -> Vec<&'static [u8]> {
    let c = class.get();
    let tables = || c.properties.keys().chain(c.static_properties.keys()).map(|name| &**name);
    let mut names: Vec<&'static [u8]> = match c.decl() {
        Some(decl) => {
            let declared = decl.properties.iter().map(|p| p.name.as_bytes());
            // Enums have properties that nobody declares.
            if c.is_enum() { tables().collect() } else { declared.collect() }
        }
        None => tables().filter(|name| Declared::find(class, name).is_some_and(|d| d.class() == class)).collect(),
    };
    let inherited = class.parent.map(property_names).unwrap_or_default();
    add_new(&mut names, inherited.into_iter().chain(tables()));
    names
}

/// May this be the name of a dynamic property? A parent's private one does not count.
pub fn is_dynamic_name(class: ClassPtr, name: &PStr) -> bool {
    Declared::find(class, name.as_bytes()).is_none_or(|d| d.flags() & member_flags::PRIVATE != 0 && d.class() != class)
}

/// Names of the dynamic properties of an object, without mangled ones.
pub fn dynamic_names(object: &PObject) -> Vec<PStr> {
    let Some(table) = object.dynamic() else { return Vec::new() };
    table.keys().map(|k| k.to_str()).filter(|name| name.as_bytes().first() != Some(&0)).collect()
}

fn section(out: &mut Text, indent: usize, title: &str, count: usize) {
    out.put("\n").indent(indent + 2).put("- ").put(title).put(format!(" [{count}] {{\n"));
}

/// `foreach` goes over it in its own way: Traversable, or properties with hooks.
pub fn has_iterator(class: ClassPtr) -> bool {
    if class.is_interface() || class.is(class_flags::TRAIT) {
        return false;
    }
    class.interfaces.iter().any(|i| i.lower.as_bytes() == b"traversable") || class.properties.values().any(|p| p.has_hooks())
}

pub fn class(cx: &mut Cx, class: ClassPtr, object: Option<&PObject>, indent: usize, out: &mut Text) -> Res<()> {
    let c = class.get();
    let decl = c.decl();
    if let Some(doc) = decl.and_then(|d| d.doc_comment.as_ref()) {
        out.indent(indent).put(doc.as_bytes()).put("\n");
    }
    out.indent(indent);
    out.put(if object.is_some() {
        "Object of class [ "
    } else if c.is_interface() {
        "Interface [ "
    } else if c.is(class_flags::TRAIT) {
        "Trait [ "
    } else {
        "Class [ "
    });
    origin(out, matches!(c.source, ClassSource::Builtin(_)), state::extension_of_class(class), false);
    out.put("> ");
    if has_iterator(class) {
        out.put("<iterateable> ");
    }
    if c.is_interface() {
        out.put("interface ");
    } else if c.is(class_flags::TRAIT) {
        out.put("trait ");
    } else {
        for (flag, word) in [
            (class_flags::ABSTRACT | class_flags::HAS_ABSTRACT, "abstract "),
            (class_flags::FINAL | class_flags::ENUM, "final "),
            (class_flags::READONLY, "readonly "),
        ] {
            // Builtin enums are not marked final.
            if c.flags & flag != 0 && !(flag & class_flags::ENUM != 0 && c.is_enum() && c.is(class_flags::BUILTIN)) {
                out.put(word);
            }
        }
        out.put("class ");
    }
    out.put(c.name.as_bytes());
    if let Some(parent) = c.parent {
        out.put(" extends ").put(parent.name.as_bytes());
    }
    for (n, i) in c.interfaces.iter().enumerate() {
        out.put(match (n, c.is_interface()) {
            (0, true) => " extends ",
            (0, false) => " implements ",
            _ => ", ",
        });
        out.put(i.name.as_bytes());
    }
    out.put(" ] {\n");
    if let (Some(decl), Some(unit)) = (decl, c.unit()) {
        out.indent(indent + 2).put("@@ ").put(unit.file.as_bytes()).put(format!(" {}-{}\n", decl.line_start, decl.line_end));
    }
    section(out, indent, "Constants", c.constants.len());
    for constant in c.constants.values() {
        class_constant(cx, class, constant, indent + 4, out)?;
    }
    out.indent(indent + 2).put("}\n");
    let (statics, instance): (Vec<Prop>, Vec<Prop>) =
        properties_of(class).into_iter().partition(|p| p.flags() & member_flags::STATIC != 0);
    section(out, indent, "Static properties", statics.len());
    for p in &statics {
        property(cx, p, indent + 4, out)?;
    }
    out.indent(indent + 2).put("}\n");
    let (static_methods, methods): (Vec<FnPtr>, Vec<FnPtr>) = methods_of(class).into_iter().partition(|f| f.is(func_flags::STATIC));
    methods_section(cx, class, "Static methods", &static_methods, None, indent, out)?;
    section(out, indent, "Properties", instance.len());
    for p in &instance {
        property(cx, p, indent + 4, out)?;
    }
    out.indent(indent + 2).put("}\n");
    let mut invoke = None;
    if let Some(object) = object {
        let dynamic: Vec<PStr> = dynamic_names(object).into_iter().filter(|n| Declared::find(class, n.as_bytes()).is_none()).collect();
        section(out, indent, "Dynamic properties", dynamic.len());
        for name in dynamic {
            property(cx, &Prop { class, name, dynamic: true }, indent + 4, out)?;
        }
        out.indent(indent + 2).put("}\n");
        invoke = Func::invoke_of(cx, object);
    }
    methods_section(cx, class, "Methods", &methods, invoke, indent, out)?;
    out.indent(indent).put("}\n");
    Ok(())
}

fn methods_section(cx: &mut Cx, class: ClassPtr, title: &str, methods: &[FnPtr], extra: Option<Func>, indent: usize, out: &mut Text) -> Res<()> {
    section(out, indent, title, methods.len() + extra.is_some() as usize);
    let all = methods.iter().map(|f| Func::method(*f, class)).chain(extra);
    for (n, f) in all.enumerate() {
        if n > 0 {
            out.put("\n");
        }
        function(cx, &f, Some(class), indent + 4, out)?;
    }
    out.indent(indent + 2).put("}\n");
    Ok(())
}

