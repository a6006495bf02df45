//! What PHP demands of magic methods, and of a property's modifiers, when a class is declared.

use crate::Result;
use crate::unit::Compiler;
use jumbo_bytecode::types::{Type, mask};
use jumbo_bytecode::unit::{FunctionProto, PropertyDecl, func_flags, member_flags};

/// The rules for one magic method.
struct Magic {
    name: &'static [u8],
    args: Option<usize>,
    /// `Some(true)`: must be static; `Some(false)`: must not.
    is_static: Option<bool>,
    public: bool,
    /// Types of the parameters, where they are declared.
    params: &'static [(u32, &'static str)],
    /// Type of the result, where it is declared: mask and PHP's words.
    returns: Option<(u32, &'static str)>,
    no_return_type: bool,
}

const STRING: (u32, &str) = (mask::STRING, "string");
const ARRAY: (u32, &str) = (mask::ARRAY, "array");
const VOID: Option<(u32, &str)> = Some((mask::VOID, "void"));

const fn magic(name: &'static [u8], args: usize) -> Magic {
    Magic {
        name,
        args: Some(args),
        is_static: Some(false),
        public: true,
        params: &[],
        returns: None,
        no_return_type: false,
    }
}

const MAGIC: &[Magic] = &[
    Magic {
        args: None,
        public: false,
        no_return_type: true,
        ..magic(b"__construct", 0)
    },
    Magic {
        public: false,
        no_return_type: true,
        ..magic(b"__destruct", 0)
    },
    Magic {
        public: false,
        returns: VOID,
        ..magic(b"__clone", 0)
    },
    Magic {
        params: &[STRING],
        ..magic(b"__get", 1)
    },
    Magic {
        params: &[STRING],
        returns: VOID,
        ..magic(b"__set", 2)
    },
    Magic {
        params: &[STRING],
        returns: VOID,
        ..magic(b"__unset", 1)
    },
    Magic {
        params: &[STRING],
        returns: Some((mask::BOOL, "bool")),
        ..magic(b"__isset", 1)
    },
    Magic {
        params: &[STRING, ARRAY],
        ..magic(b"__call", 2)
    },
    Magic {
        is_static: Some(true),
        params: &[STRING, ARRAY],
        ..magic(b"__callstatic", 2)
    },
    Magic {
        returns: Some((mask::STRING, "string")),
        ..magic(b"__tostring", 0)
    },
    Magic {
        returns: Some((mask::ARRAY | mask::NULL, "?array")),
        ..magic(b"__debuginfo", 0)
    },
    Magic {
        returns: Some((mask::ARRAY, "array")),
        ..magic(b"__serialize", 0)
    },
    Magic {
        params: &[ARRAY],
        returns: VOID,
        ..magic(b"__unserialize", 1)
    },
    Magic {
        is_static: Some(true),
        params: &[ARRAY],
        returns: Some((mask::OBJECT, "object")),
        ..magic(b"__set_state", 1)
    },
    Magic {
        args: None,
        ..magic(b"__invoke", 0)
    },
    Magic {
        returns: Some((mask::ARRAY, "array")),
        ..magic(b"__sleep", 0)
    },
    Magic {
        returns: VOID,
        ..magic(b"__wakeup", 0)
    },
];

impl<'a> Compiler<'a, '_> {
    /// Checks a compiled method against the rules for its name.
    pub fn check_magic_method(&mut self, proto: &FunctionProto) -> Result<()> {
        let name = proto.name.as_bytes();
        let lowered = name.to_ascii_lowercase();
        let Some(rules) = MAGIC.iter().find(|m| m.name == lowered) else {
            return Ok(());
        };
        let class = self.class.as_ref().map_or(&b""[..], |c| &c.name);
        let shown = String::from_utf8_lossy(&[class, b"::", name].concat()).into_owned();
        let is_static = proto.flags & func_flags::STATIC != 0;
        if let Some(count) = rules.args {
            if proto.params.len() != count {
                return self.error(match count {
                    0 => format!("Method {shown}() cannot take arguments"),
                    1 => format!("Method {shown}() must take exactly 1 argument"),
                    n => format!("Method {shown}() must take exactly {n} arguments"),
                });
            }
            if proto.params.iter().any(|p| p.by_ref) {
                return self.error(format!(
                    "Method {shown}() cannot take arguments by reference"
                ));
            }
        }
        match rules.is_static {
            Some(false) if is_static => {
                return self.error(format!("Method {shown}() cannot be static"));
            }
            Some(true) if !is_static => {
                return self.error(format!("Method {shown}() must be static"));
            }
            _ => {}
        }
        if rules.public && proto.flags & func_flags::PUBLIC == 0 {
            let line = self.f.b.line;
            self.warn(
                2,
                format!("The magic method {shown}() must have public visibility").into_bytes(),
                line,
            );
        }
        if rules.no_return_type && proto.return_type.is_some() {
            return self.error(format!("Method {shown}() cannot declare a return type"));
        }
        for (n, (param, &(want, word))) in proto.params.iter().zip(rules.params).enumerate() {
            if param.ty.as_ref().is_some_and(|ty| ty.mask & want == 0) {
                let name = String::from_utf8_lossy(param.name.as_bytes()).into_owned();
                return self.error(format!(
                    "{shown}(): Parameter #{} (${name}) must be of type {word} when declared",
                    n + 1
                ));
            }
        }
        if let (Some((want, word)), Some(ty)) = (rules.returns, &proto.return_type)
            && !returns_fit(ty, want)
        {
            return self.error(format!(
                "{shown}(): Return type must be {word} when declared"
            ));
        }
        Ok(())
    }

    /// Modifiers of a property that must go together, once its hooks are known.
    pub fn check_property(&mut self, property: &PropertyDecl) -> Result<()> {
        let flags = property.flags;
        let set = flags
            & (member_flags::PUBLIC_SET | member_flags::PROTECTED_SET | member_flags::PRIVATE_SET);
        if set == 0 {
            return Ok(());
        }
        let name = property.name.as_bytes();
        if flags & member_flags::STATIC != 0 {
            return self.error("Static property may not have asymmetric visibility");
        }
        if property.ty.is_none() {
            let message = self.property_message(
                b"Property with asymmetric visibility ",
                name,
                b" must have type",
            );
            return self.error(message);
        }
        let weaker = match flags & member_flags::VISIBILITY {
            member_flags::PRIVATE => set != member_flags::PRIVATE_SET,
            member_flags::PROTECTED => set == member_flags::PUBLIC_SET,
            _ => false,
        };
        if weaker {
            let message = self.property_message(
                b"Visibility of property ",
                name,
                b" must not be weaker than set visibility",
            );
            return self.error(message);
        }
        if flags & member_flags::VIRTUAL != 0 {
            if property.set_hook.is_none() {
                let message = self.property_message(
                    b"Read-only virtual property ",
                    name,
                    b" must not specify asymmetric visibility",
                );
                return self.error(message);
            }
            if property.get_hook.is_none() {
                let message = self.property_message(
                    b"Write-only virtual property ",
                    name,
                    b" must not specify asymmetric visibility",
                );
                return self.error(message);
            }
        }
        Ok(())
    }
}

/// May a magic method with result mask `want` declare `ty`?
fn returns_fit(ty: &Type, want: u32) -> bool {
    if ty.mask & mask::NEVER != 0 {
        return true;
    }
    let classes =
        !ty.classes.is_empty() || !ty.intersections.is_empty() || ty.mask & mask::STATIC != 0;
    let extra = ty.mask & !want & !mask::STATIC;
    extra == 0 && (!classes || want == mask::OBJECT)
}
