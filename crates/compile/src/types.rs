//! Declared types: from the tree to the unit's form, with PHP's rules of what may be combined.

use crate::Result;
use crate::konst::Const;
use crate::names::class_name;
use crate::unit::Compiler;
use jumbo_bytecode::types::{ClassName, Type, mask};
use jumbo_syntax::ast::{self, Name, NameKind, TypeKind};

/// Mask of a builtin type's name.
fn builtin(name: &Name<'_>) -> Option<u32> {
    if name.kind != NameKind::Unqualified {
        return None;
    }
    Some(match name.bytes.to_ascii_lowercase().as_slice() {
        b"int" => mask::INT,
        b"float" => mask::FLOAT,
        b"string" => mask::STRING,
        b"bool" => mask::BOOL,
        b"false" => mask::FALSE,
        b"true" => mask::TRUE,
        b"null" => mask::NULL,
        b"void" => mask::VOID,
        b"never" => mask::NEVER,
        b"mixed" => mask::MIXED,
        b"object" => mask::OBJECT,
        b"iterable" => mask::ITERABLE | mask::ARRAY,
        _ => return None,
    })
}

impl<'a> Compiler<'a, '_> {
    pub fn declared_type(&mut self, ty: &ast::Type<'a>) -> Result<Type> {
        match ty.kind {
            TypeKind::Nullable(inner) => {
                let mut result = self.single_type(inner)?;
                if result.mask & mask::MIXED == mask::MIXED {
                    return self.error(
                        "Type mixed cannot be marked as nullable since mixed already includes null",
                    );
                }
                if result.mask == mask::NULL && result.classes.is_empty() {
                    return self.error("null cannot be marked as nullable");
                }
                if result.mask & mask::VOID != 0 {
                    return self.error("Void can only be used as a standalone type");
                }
                if result.mask & mask::NEVER != 0 {
                    return self.error("never can only be used as a standalone type");
                }
                result.mask |= mask::NULL;
                result.nullable_syntax = true;
                Ok(result)
            }
            TypeKind::Union(parts) => self.union_type(parts),
            TypeKind::Intersection(parts) => {
                let group = self.intersection(parts)?;
                Ok(Type {
                    intersections: vec![group],
                    ..Type::default()
                })
            }
            _ => self.single_type(ty),
        }
    }

    fn single_type(&mut self, ty: &ast::Type<'a>) -> Result<Type> {
        match ty.kind {
            TypeKind::Array => Ok(Type::of_mask(mask::ARRAY)),
            TypeKind::Callable => Ok(Type::of_mask(mask::CALLABLE)),
            TypeKind::Static => {
                self.check_class_keyword(b"static", ty.line)?;
                Ok(Type::of_mask(mask::STATIC))
            }
            TypeKind::Name(name) => {
                if let Some(mask) = builtin(&name) {
                    return Ok(Type::of_mask(mask));
                }
                let class = self.type_class(&name)?;
                Ok(Type {
                    classes: vec![class],
                    ..Type::default()
                })
            }
            _ => self.declared_type(ty),
        }
    }

    fn type_class(&mut self, name: &Name<'a>) -> Result<ClassName> {
        if name.is(b"self") || name.is(b"parent") {
            let keyword: &[u8] = if name.is(b"self") { b"self" } else { b"parent" };
            self.check_class_keyword(keyword, name.line)?;
            return Ok(class_name(keyword));
        }
        if name.kind == NameKind::FullyQualified
            && [b"self".as_slice(), b"parent", b"static"]
                .iter()
                .any(|k| name.bytes.eq_ignore_ascii_case(k))
        {
            return self.error([b"'\\", name.bytes, b"' is an invalid class name"].concat());
        }
        if matches!(name.kind, NameKind::FullyQualified | NameKind::Relative)
            && builtin(&Name {
                kind: NameKind::Unqualified,
                ..*name
            })
            .is_some()
        {
            let shown = String::from_utf8_lossy(name.bytes).to_ascii_lowercase();
            return self.error(format!("Type declaration '{shown}' must be unqualified"));
        }
        let resolved = self.namespace.class(name);
        if resolved.contains(&b'\\') && resolved.rsplit(|b| *b == b'\\').next().is_some_and(crate::names::is_reserved_class_name) {
            return self.error([b"Cannot use \"".as_slice(), &resolved, b"\" as a type name as it is reserved"].concat());
        }
        if name.is(b"resource") && self.namespace.imported_class(b"resource").is_none() {
            let line = self.f.b.line;
            let shown = String::from_utf8_lossy(name.bytes).into_owned();
            let import = if self.namespace.name.is_empty() {
                format!("\\{shown}\" to suppress this warning")
            } else {
                let resolved = String::from_utf8_lossy(&resolved).into_owned();
                format!("\\{resolved}\" or import the class with \"use\" to suppress this warning")
            };
            let message = format!(
                "\"{shown}\" is not a supported builtin type and will be interpreted as a class name. Write \"{import}"
            );
            self.warn(2, message.into_bytes(), line);
        }
        if let Some(hint) = confusable(name) {
            let shown = String::from_utf8_lossy(name.bytes).into_owned();
            let line = self.f.b.line;
            // PHP warns only where no such class is imported.
            if self.namespace.imported_class(name.bytes).is_none() {
                let in_namespace = !self.namespace.name.is_empty();
                let import = if in_namespace {
                    format!(
                        "\\{}\" or import the class with \"use\" to suppress this warning",
                        String::from_utf8_lossy(&resolved)
                    )
                } else {
                    format!("\\{shown}\" to suppress this warning")
                };
                let message = format!(
                    "\"{shown}\" will be interpreted as a class name. Did you mean \"{hint}\"? Write \"{import}"
                );
                self.warn(2, message.into_bytes(), line);
            }
        }
        Ok(class_name(&resolved))
    }

    fn intersection(&mut self, parts: &'a [ast::Type<'a>]) -> Result<Vec<ClassName>> {
        let mut group: Vec<ClassName> = Vec::with_capacity(parts.len());
        for part in parts {
            let single = self.single_type(part)?;
            let keyword = |c: &&ClassName| matches!(c.lower.as_bytes(), b"self" | b"parent");
            let Some(class) = single
                .classes
                .first()
                .filter(|_| single.mask == 0)
                .filter(|c| !keyword(c))
            else {
                let shown = String::from_utf8_lossy(&single.display()).into_owned();
                return self.error(format!(
                    "Type {shown} cannot be part of an intersection type"
                ));
            };
            if group.iter().any(|c| c.handle == class.handle) {
                let shown = String::from_utf8_lossy(class.name.as_bytes()).into_owned();
                return self.error(format!("Duplicate type {shown} is redundant"));
            }
            group.push(class.clone());
        }
        Ok(group)
    }

    fn union_type(&mut self, parts: &'a [ast::Type<'a>]) -> Result<Type> {
        let mut result = Type::default();
        for part in parts {
            if let TypeKind::Intersection(inner) = part.kind {
                let group = self.intersection(inner)?;
                for other in &result.intersections {
                    let same = |a: &[ClassName], b: &[ClassName]| {
                        a.iter().all(|c| b.iter().any(|d| d.handle == c.handle))
                    };
                    let join = |g: &[ClassName]| {
                        let names: Vec<&[u8]> = g.iter().map(|c| c.name.as_bytes()).collect();
                        String::from_utf8_lossy(&names.join(&b'&')).into_owned()
                    };
                    if same(&group, other) && same(other, &group) {
                        return self.error(format!(
                            "Type {} is redundant with type {}",
                            join(&group),
                            join(other)
                        ));
                    }
                    if same(other, &group) {
                        return self.error(format!(
                            "Type {} is redundant as it is more restrictive than type {}",
                            join(&group),
                            join(other)
                        ));
                    }
                }
                result.classes_before.push(result.classes.len() as u32);
                result.intersections.push(group);
                continue;
            }
            let single = self.single_type(part)?;
            let shown = String::from_utf8_lossy(&single.display()).into_owned();
            if single.mask & mask::MIXED == mask::MIXED {
                return self.error("Type mixed can only be used as a standalone type");
            }
            if single.mask & mask::VOID != 0 {
                return self.error("Void can only be used as a standalone type");
            }
            if single.mask & mask::NEVER != 0 {
                return self.error("never can only be used as a standalone type");
            }
            if let Some(class) = single.classes.first() {
                if result.classes.iter().any(|c| c.handle == class.handle) {
                    return self.error(format!("Duplicate type {shown} is redundant"));
                }
                result.classes.push(class.clone());
                continue;
            }
            let bool_bits = single.mask & mask::BOOL;
            if bool_bits != 0
                && bool_bits != mask::BOOL
                && result.mask & mask::BOOL != 0
                && result.mask & bool_bits == 0
            {
                return self.error("Type contains both true and false, bool must be used instead");
            }
            let overlap = result.mask & single.mask;
            if overlap != 0 {
                let overlap = if overlap & mask::ARRAY != 0 {
                    mask::ARRAY
                } else {
                    overlap
                };
                let name = String::from_utf8_lossy(&Type::of_mask(overlap).display()).into_owned();
                return self.error(format!("Duplicate type {name} is redundant"));
            }
            if bool_bits == mask::BOOL && result.mask & mask::BOOL != 0 {
                let old = if result.mask & mask::FALSE != 0 {
                    "false"
                } else {
                    "true"
                };
                return self.error(format!("Duplicate type {old} is redundant"));
            }
            if single.mask & mask::ITERABLE != 0 {
                result.iterable_at = result.classes.len() as u32;
            }
            result.mask |= single.mask;
        }
        for group in &result.intersections {
            let join = |g: &[ClassName]| {
                let names: Vec<&[u8]> = g.iter().map(|c| c.name.as_bytes()).collect();
                String::from_utf8_lossy(&names.join(&b'&')).into_owned()
            };
            if let Some(class) = result
                .classes
                .iter()
                .find(|c| group.iter().any(|g| g.handle == c.handle))
            {
                let single = String::from_utf8_lossy(class.name.as_bytes()).into_owned();
                return self.error(format!(
                    "Type {} is redundant as it is more restrictive than type {single}",
                    join(group)
                ));
            }
            let wider = result.intersections.iter().find(|other| {
                other.len() < group.len()
                    && other
                        .iter()
                        .all(|c| group.iter().any(|g| g.handle == c.handle))
            });
            if let Some(wider) = wider {
                return self.error(format!(
                    "Type {} is redundant as it is more restrictive than type {}",
                    join(group),
                    join(wider)
                ));
            }
        }
        if result.mask & mask::OBJECT != 0
            && (!result.classes.is_empty()
                || !result.intersections.is_empty()
                || result.mask & mask::STATIC != 0)
        {
            let shown = String::from_utf8_lossy(&result.display()).into_owned();
            return self.error(format!(
                "Type {shown} contains both object and a class type, which is redundant"
            ));
        }
        if result.mask & mask::ITERABLE != 0
            && result
                .classes
                .iter()
                .any(|c| c.lower.as_bytes() == b"traversable")
        {
            return self.error("Duplicate type Traversable is redundant");
        }
        Ok(result)
    }

    /// A literal default as the declared type makes it (`float $x = 1`), or PHP's error.
    pub fn default_for_type(
        &mut self,
        value: Const,
        ty: &Type,
        what: &str,
        name: &[u8],
        class: &str,
    ) -> Result<Const> {
        let bit = match &value {
            Const::Null => mask::NULL,
            Const::Bool(false) => mask::FALSE,
            Const::Bool(true) => mask::TRUE,
            Const::Int(_) => mask::INT,
            Const::Float(_) => mask::FLOAT,
            Const::Str(_) => mask::STRING,
            Const::Array(_) => mask::ARRAY,
        };
        if ty.mask & bit != 0 {
            return Ok(value);
        }
        if let Const::Int(i) = value
            && ty.mask & mask::FLOAT != 0
        {
            return Ok(Const::Float(i as f64));
        }
        let shown = String::from_utf8_lossy(&ty.display()).into_owned();
        let name = String::from_utf8_lossy(name).into_owned();
        let several = ty.intersections.len() + ty.classes.len() > 0 && !ty.intersections.is_empty();
        if matches!(value, Const::Null) && what.starts_with("property") && !several {
            return self.error(if ty.classes.len() + ty.intersections.len() == 1 && ty.mask == 0 || ty.mask.count_ones() == 1 || ty.mask == mask::BOOL {
                format!("Default value for property of type {shown} may not be null. Use the nullable type ?{shown} to allow null default value")
            } else {
                format!("Default value for property of type {shown} may not be null. Use the nullable type {shown}|null to allow null default value")
            });
        }
        let kind = value.type_name();
        self.error(format!(
            "Cannot use {kind} as default value for {what}{class}{name} of type {shown}"
        ))
    }
}

/// A name that was probably meant as a builtin type.
fn confusable(name: &Name<'_>) -> Option<&'static str> {
    if name.kind != NameKind::Unqualified {
        return None;
    }
    Some(match name.bytes.to_ascii_lowercase().as_slice() {
        b"boolean" => "bool",
        b"integer" => "int",
        b"double" => "float",
        _ => return None,
    })
}
