//! Declared types, of user code and of builtins alike.

use jumbo_value::PStr;

/// Bits of [`Type::mask`]: bit `n` is the value kind `n` of `jumbo-value`, so that the check of a value is one shift and one and;
/// bits from 16 are what has no kind of its own.
pub mod mask {
    pub const NULL: u32 = 1 << 1;
    pub const FALSE: u32 = 1 << 2;
    pub const TRUE: u32 = 1 << 3;
    pub const BOOL: u32 = FALSE | TRUE;
    pub const INT: u32 = 1 << 4;
    pub const FLOAT: u32 = 1 << 5;
    pub const STRING: u32 = 1 << 6;
    pub const ARRAY: u32 = 1 << 7;
    pub const OBJECT: u32 = 1 << 8;
    pub const RESOURCE: u32 = 1 << 9;
    /// `mixed` (and no type at all has `Type` absent).
    pub const MIXED: u32 = NULL | BOOL | INT | FLOAT | STRING | ARRAY | OBJECT | RESOURCE;
    pub const CALLABLE: u32 = 1 << 16;
    /// `iterable` is kept as written for Reflection; it stands for `Traversable|array`, and [`ARRAY`] is set with it.
    pub const ITERABLE: u32 = 1 << 17;
    pub const VOID: u32 = 1 << 18;
    pub const NEVER: u32 = 1 << 19;
    pub const STATIC: u32 = 1 << 20;
    pub const SCALAR: u32 = BOOL | INT | FLOAT | STRING;

    /// Is a value's kind among those of the mask? Nothing is said of references, which are looked behind first, and of undefined ones.
    #[inline(always)]
    pub fn has(mask: u32, value: jumbo_value::Raw) -> bool {
        let kind = value.kind_byte();
        kind < jumbo_value::Kind::Ref as u8 && mask >> kind & 1 != 0
    }
}

/// One class of a type: its name as written (resolved), its lower-cased form, and its link-table handle.
#[derive(Clone, Debug)]
pub struct ClassName {
    pub name: PStr,
    pub lower: PStr,
    /// See [`crate::names::class_handle`].
    pub handle: u32,
}

/// A declared type: any of the kinds of the mask, or of the classes, or of the intersections (DNF).
#[derive(Clone, Debug, Default)]
pub struct Type {
    pub mask: u32,
    /// `self` and `parent` stand here by these names, resolved when the class is linked or checked.
    pub classes: Vec<ClassName>,
    pub intersections: Vec<Vec<ClassName>>,
    /// How many of `classes` are written before each intersection; none when absent.
    pub classes_before: Vec<u32>,
    /// How many of `classes` are written before `iterable`.
    pub iterable_at: u32,
    /// Written as `?T` (for Reflection's and messages' form).
    pub nullable_syntax: bool,
    /// Null is allowed only because the default is null (`int $x = null`).
    pub implicit_nullable: bool,
}

/// One alternative of a type that is no builtin kind.
pub enum ClassPart<'a> {
    Class(&'a ClassName),
    Intersection(&'a [ClassName]),
}

impl Type {
    /// Classes and intersections as they are written.
    pub fn class_parts(&self) -> impl Iterator<Item = ClassPart<'_>> {
        let before = |n: usize| self.classes_before.get(n).copied().unwrap_or(0) as usize;
        let (mut class, mut group) = (0, 0);
        std::iter::from_fn(move || {
            if let Some(names) = self.intersections.get(group)
                && before(group) <= class
            {
                group += 1;
                return Some(ClassPart::Intersection(names));
            }
            class += 1;
            self.classes.get(class - 1).map(ClassPart::Class)
        })
    }
    pub fn of_mask(mask: u32) -> Type {
        Type { mask, ..Type::default() }
    }
    /// No class and nothing special: the mask alone decides.
    pub fn is_simple(&self) -> bool {
        self.classes.is_empty() && self.intersections.is_empty() && self.mask >> 16 == 0
    }
    pub fn allows_null(&self) -> bool {
        self.mask & mask::NULL != 0
    }
    /// The type as PHP prints it in messages: `?int`, `Foo|int|null`, `(A&B)|null`.
    pub fn display(&self) -> Vec<u8> {
        let mut parts: Vec<Vec<u8>> = Vec::new();
        let alone = self.intersections.len() == 1 && self.classes.is_empty() && self.mask == 0;
        parts.extend(self.class_parts().map(|part| match part {
            ClassPart::Class(class) => class.name.as_bytes().to_vec(),
            ClassPart::Intersection(group) => {
                let names: Vec<&[u8]> = group.iter().map(|c| c.name.as_bytes()).collect();
                let joined = names.join(&b'&');
                if alone { joined } else { [b"(".as_slice(), &joined, b")"].concat() }
            }
        }));
        let m = self.mask;
        if m & mask::MIXED == mask::MIXED {
            return b"mixed".to_vec();
        }
        // `iterable` is written as `Traversable|array` in PHP's own messages.
        if m & mask::ITERABLE != 0 {
            parts.insert((self.iterable_at as usize).min(parts.len()), b"Traversable".to_vec());
        }
        for (bits, name) in [
            (mask::STATIC, "static"),
            (mask::CALLABLE, "callable"),
            (mask::OBJECT, "object"),
            (mask::ARRAY, "array"),
            (mask::STRING, "string"),
            (mask::INT, "int"),
            (mask::FLOAT, "float"),
            (mask::BOOL, "bool"),
            (mask::FALSE, "false"),
            (mask::TRUE, "true"),
            (mask::VOID, "void"),
            (mask::NEVER, "never"),
        ] {
            let is_bool = m & mask::BOOL == mask::BOOL;
            if m & bits != bits
                || (is_bool && (bits == mask::FALSE || bits == mask::TRUE))
            {
                continue;
            }
            parts.push(name.as_bytes().to_vec());
        }
        if m & mask::NULL != 0 {
            if parts.len() == 1 && !parts[0].contains(&b'|') && !parts[0].starts_with(b"(") {
                let mut out = b"?".to_vec();
                out.append(&mut parts[0]);
                return out;
            }
            parts.push(b"null".to_vec());
        }
        parts.join(&b'|')
    }
}
