//! Calls of functions that do nothing but return a literal. They are replaced where the callee is certain: a function declared at the
//! top level of the same file, or a static method of a class declared there that needs no other. (Were the name taken already, the file would
//! not run at all.)

use jumbo_bytecode::hash::{NameMap, NameSet};
use super::Declarations;
use super::body::Body;
use crate::konst::Const;
use jumbo_bytecode::names;
use jumbo_bytecode::op::{FRAME_HEADER, LITERAL, NONE};
use jumbo_bytecode::unit::{ClassRef, FunctionProto, Hoisted, LiveKind, class_flags, func_flags};
use jumbo_bytecode::{Insn, Op};

/// What calls of trivial functions give, by what calls them.
#[derive(Default)]
pub struct Trivial {
    /// By handle.
    functions: NameMap<u32, Returned>,
    /// By number of the class and lower-cased name; true: public.
    methods: NameMap<(u32, Vec<u8>), (Returned, bool)>,
    /// Number of a class by its handle.
    classes: NameMap<u32, u32>,
}

/// A trivial function: the literal that it returns, and how many arguments it asks for.
#[derive(Clone)]
struct Returned {
    value: Const,
    required: u32,
}

/// Handles of functions all of whose parameters are by value.
pub type ByValue = NameSet<u32>;

/// The literal that a function returns without doing anything else.
fn returned(proto: &FunctionProto, literals: &[Const]) -> Option<Returned> {
    const OTHER: u32 = func_flags::GENERATOR
        | func_flags::RETURNS_REF
        | func_flags::DEPRECATED
        | func_flags::ABSTRACT
        | func_flags::BY_REF_PARAMS
        | func_flags::TYPED_PARAMS
        | func_flags::TYPED_RETURN;
    let first = *proto.code.first()?;
    let plain = proto.flags & OTHER == 0 && proto.params.iter().all(|p| p.default.is_none() && !p.variadic && p.promoted.is_none());
    if !plain || first.op() != Op::Return || first.a() & LITERAL == 0 {
        return None;
    }
    let value = literals.get((first.a() & !LITERAL) as usize)?.clone();
    Some(Returned { value, required: proto.required })
}

impl Trivial {
    pub fn find(
        functions: &[FunctionProto],
        literals: &[Vec<Const>],
        declarations: &Declarations<'_>,
    ) -> Trivial {
        let mut trivial = Trivial::default();
        let result = |n: u32| returned(functions.get(n as usize)?, literals.get(n as usize)?);
        for &n in declarations.hoisted_functions {
            if let Some(value) = result(n) {
                let lower = functions[n as usize].name.as_bytes().to_ascii_lowercase();
                trivial
                    .functions
                    .insert(names::FUNCTIONS.handle(&lower), value);
            }
        }
        for &Hoisted { number: class_number, .. } in declarations.hoisted_classes {
            let Some(class) = declarations.classes.get(class_number as usize) else {
                continue;
            };
            if !class.stands_alone() || class.flags & (class_flags::INTERFACE | class_flags::TRAIT | class_flags::ENUM) != 0 {
                continue;
            }
            trivial.classes.insert(class.handle, class_number);
            for &n in &class.methods {
                let Some(proto) = functions.get(n as usize) else {
                    continue;
                };
                if proto.flags & func_flags::STATIC != 0
                    && let Some(value) = result(n)
                {
                    let hidden = proto.flags & (func_flags::PRIVATE | func_flags::PROTECTED) != 0;
                    let name = proto.name.as_bytes().to_ascii_lowercase();
                    trivial
                        .methods
                        .insert((class_number, name), (value, !hidden));
                }
            }
        }
        trivial
    }

    pub fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.methods.is_empty()
    }

    /// What the call that the `Init…` at `at` begins gives. `class`: the class whose method calls.
    fn result(&self, body: &Body<'_>, at: usize, class: Option<u32>) -> Option<Returned> {
        let insn = body.code[at];
        match insn.op() {
            Op::InitFn => {
                let handle = body.code.get(at + 1)?.0 as u32;
                self.functions.get(&handle).cloned()
            }
            Op::InitStaticCall if insn.c() & LITERAL != 0 && insn.b() == NONE => {
                let reference = ClassRef(body.code.get(at + 1)?.0 as u32);
                let (class, inside) = match reference {
                    ClassRef::SELF => (class?, true),
                    _ => {
                        let number = *self.classes.get(&reference.0)?;
                        (number, class == Some(number))
                    }
                };
                let Const::Str(name) = body.literals.get((insn.c() & !LITERAL) as usize)? else {
                    return None;
                };
                let (value, public) = self.methods.get(&(class, name.to_ascii_lowercase()))?;
                (*public || inside).then(|| value.clone())
            }
            _ => None,
        }
    }
}

/// The class of each function that is a method of a hoisted class.
pub fn classes_of_functions(functions: usize, declarations: &Declarations<'_>) -> Vec<Option<u32>> {
    let mut classes = vec![None; functions];
    for &Hoisted { number, .. } in declarations.hoisted_classes {
        for &method in declarations
            .classes
            .get(number as usize)
            .map_or(&[][..], |c| &c.methods)
        {
            if let Some(slot) = classes.get_mut(method as usize) {
                *slot = Some(number);
            }
        }
    }
    classes
}

/// The functions of the file that take all their parameters by value.
pub fn by_value(functions: &[FunctionProto], declarations: &Declarations<'_>) -> ByValue {
    let hoisted = declarations
        .hoisted_functions
        .iter()
        .filter_map(|&n| functions.get(n as usize));
    hoisted
        .filter(|proto| !proto.params.iter().any(|p| p.by_ref))
        .map(|proto| names::FUNCTIONS.handle(&proto.name.as_bytes().to_ascii_lowercase()))
        .collect()
}

/// Replaces calls without arguments, or with literals as arguments, of functions that are known to return a literal.
pub fn calls(mut body: Body<'_>, trivial: &Trivial, class: Option<u32>) {
    let places = body.places();
    for (n, &init) in places.iter().enumerate() {
        let Some(Returned { value, required }) = trivial.result(&body, init, class) else {
            continue;
        };
        let frame = body.code[init].a();
        let mut arguments = 0;
        let call = places[n + 1..].iter().copied().find(|&at| {
            let insn = body.code[at];
            let is_argument = match insn.op() {
                Op::Lit => insn.a() == frame + FRAME_HEADER + arguments,
                Op::ArgVal => insn.a() == frame && insn.b() == arguments && insn.c() & LITERAL != 0,
                _ => false,
            };
            arguments += is_argument as u16;
            !is_argument
        });
        let Some(call) = call else { continue };
        let insn = body.code[call];
        if insn.op() != Op::Call || insn.a() != frame || insn.b() != arguments || (arguments as u32) < required {
            continue;
        }
        let held = |r: &jumbo_bytecode::unit::LiveRange| {
            let inside = r.start > init as u32 && r.end <= call as u32;
            inside
                && (r.register == frame && r.kind == LiveKind::Frame
                    || r.register >= frame + FRAME_HEADER)
        };
        let literal = match insn.c() {
            NONE => None,
            _ => match body.literal(&value) {
                Some(index) => Some(index),
                None => continue,
            },
        };
        body.proto.live.retain(|r| !held(r));
        let inner: Vec<usize> = places[n..]
            .iter()
            .copied()
            .take_while(|&at| at < call)
            .collect();
        for at in inner {
            body.remove(at);
        }
        match literal {
            Some(index) => body.replace(call, Insn::with_bc(Op::Lit, insn.c(), index as u32)),
            None => body.remove(call),
        }
    }
    body.finish();
}
