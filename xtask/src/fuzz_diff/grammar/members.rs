//! Properties, methods and magic methods.
//!
//! The names are few (`p0`…`p3`, `m0`…`m4`, `s0`, `s1`, `K0`, `K1`) and each name has one shape a program: type, visibility and signature
//! are the same wherever it is declared. So any class may extend any other, and names meet.

use super::super::rng::choose;
use super::super::tree::{List, Node, Sort, block, element, expr, stmt};
use super::functions::{DECLARED_TYPES, Kind, METHOD_RANK, Parameter};
use super::{Body, Generator, RANK_MAX, Scope, Type};

pub const PROPERTIES: usize = 4;
pub const METHODS: usize = 5;
/// Methods from this one on are no part of an interface.
pub const INTERFACE_METHODS: usize = 3;

#[derive(Clone, Debug, Default)]
pub struct Shape {
    pub properties: Vec<Property>,
    pub methods: Vec<Method>,
}

#[derive(Clone, Debug)]
pub struct Property {
    /// `public`, `private(set)`, `readonly` and so on, with the type.
    head: String,
    ty: Option<(&'static str, Type)>,
    default: Option<Node>,
    hooked: bool,
    /// May be declared again by a subclass.
    pub open: bool,
}

#[derive(Clone, Debug)]
pub struct Method {
    pub parameters: Vec<Parameter>,
    pub returns: Option<(&'static str, Type)>,
    pub is_static: bool,
    pub visibility: &'static str,
    pub kind: Kind,
}

/// Types that a property may have: `callable` is none.
fn property_types() -> Vec<(&'static str, Type)> {
    DECLARED_TYPES.iter().copied().filter(|(name, _)| *name != "callable").collect()
}

impl Generator<'_> {
    pub fn make_shape(&mut self) -> Shape {
        let properties = (0..PROPERTIES).map(|_| self.property_shape()).collect();
        let methods = (0..METHODS)
            .map(|n| {
                let kind = choose!(self.rng; 7 => Kind::Plain, 2 => Kind::Loops, 1 => Kind::Generator);
                Method {
                    parameters: self.parameters(2, kind == Kind::Loops),
                    returns: if kind == Kind::Plain && self.rng.percent(30) { Some(self.rng.one(DECLARED_TYPES)) } else { None },
                    is_static: n == INTERFACE_METHODS || self.rng.percent(6),
                    visibility: if n > INTERFACE_METHODS { self.rng.one(&["protected", "private", "public"]) } else { "public" },
                    kind,
                }
            })
            .collect();
        Shape { properties, methods }
    }

    fn property_shape(&mut self) -> Property {
        let types = property_types();
        let ty = if self.rng.percent(50) { Some(types[self.rng.below(types.len())]) } else { None };
        let visibility = choose!(self.rng; 6 => "public", 2 => "protected", 2 => "private");
        let mut head = visibility.to_owned();
        let (mut default, mut open, mut hooked) = (None, true, false);
        let special = choose!(self.rng; 7 => 0, 1 => 1, 1 => 2, 1 => 3);
        match (special, ty) {
            (1, Some(_)) if visibility != "private" => {
                head.push_str(self.rng.one(&[" private(set)", " protected(set)"]));
                open = false;
            }
            (2, Some(_)) => {
                head.push_str(" readonly");
                open = false;
            }
            (3, _) if visibility != "private" => {
                hooked = true;
                open = false;
            }
            _ => {}
        }
        if special != 2 && self.rng.percent(70) {
            default = Some(self.default_for(ty));
            // What is no constant expression for a property.
            if default.as_ref().is_some_and(|d| d.print().starts_with("new")) || ty.is_some_and(|(name, _)| name == "\\Closure") {
                default = None;
            }
        }
        if let Some((name, _)) = ty {
            head.push(' ');
            head.push_str(name);
        }
        Property { head, ty, default, hooked, open }
    }

    /// The declaration of property `n`, as the shape has it.
    pub fn property(&mut self, n: usize, class: usize) -> Node {
        let property = self.shape.properties[n].clone();
        if property.hooked {
            let hooks = self.hooks(n, class, property.ty.map_or(Type::Any, |(_, ty)| ty));
            return match property.default {
                Some(default) => element!("§ $p§ = § §", property.head, n, default, hooks),
                None => element!("§ $p§ §", property.head, n, hooks),
            };
        }
        match property.default {
            Some(default) => element!("§ $p§ = §;", property.head, n, default),
            None => element!("§ $p§;", property.head, n),
        }
    }

    fn hooks(&mut self, n: usize, class: usize, ty: Type) -> List {
        let mut scope = self.magic_scope(class);
        scope.variables.clear();
        let mut hooks = Vec::new();
        // Both hooks touch the property itself, so that it has a value of its own.
        if self.rng.percent(80) {
            let value = self.magic_value(class, ty, &[]);
            hooks.push(choose!(self.rng;
                3 => element!("get => $this->p§;", n),
                2 => element!("get { echo \"get p§\\n\"; return $this->p§ ?? §; }", n, n, value),
                1 => element!("get => [$this->p§, §][1];", n, value),
            ));
        }
        if hooks.is_empty() || self.rng.percent(60) {
            hooks.push(choose!(self.rng;
                2 => element!("set { echo \"set p§\\n\"; $this->p§ = $value; }", n, n),
                2 => {
                    let value = self.magic_value(class, ty, &[("value", ty)]);
                    element!("set => §;", value)
                },
            ));
        }
        List { least: 1, ..block(hooks) }
    }

    fn magic_scope(&self, class: usize) -> Scope {
        let mut scope = Scope::new(Body::Magic);
        scope.rank = RANK_MAX;
        scope.class = Some(class);
        scope.nest = 2;
        scope
    }

    /// An expression that calls nothing of the program's.
    fn magic_value(&mut self, class: usize, ty: Type, variables: &[(&'static str, Type)]) -> Node {
        let mut scope = self.magic_scope(class);
        scope.variables.extend(variables);
        let plain = std::mem::replace(&mut self.plain, true);
        let made = self.within(scope, |this| this.expr(ty, 2));
        self.plain = plain;
        made
    }

    fn magic_statements(&mut self, class: usize, variables: &[(&'static str, Type)]) -> Vec<Node> {
        let mut scope = self.magic_scope(class);
        scope.variables.extend(variables);
        scope.may_return = false;
        let plain = std::mem::replace(&mut self.plain, true);
        let made = self.within(scope, |this| {
            let count = this.rng.below(3);
            this.statements(count, 1)
        });
        self.plain = plain;
        made
    }

    /// A magic method: its head, what it prints, a few statements, and what it returns.
    pub fn magic(&mut self, class: usize, head: &str, variables: &[(&'static str, Type)], returns: Option<Type>) -> Node {
        let name = head.split('(').next().unwrap_or(head);
        let mut body = Vec::new();
        if self.rng.percent(70) {
            let shown = variables.first().map(|(first, _)| format!(", ' ', ${first}")).filter(|_| variables[0].1 == Type::Str);
            body.push(stmt!("echo '§'§, \"\\n\";", name, shown.unwrap_or_default()));
        }
        body.extend(self.magic_statements(class, variables));
        if let Some(ty) = returns {
            let value = self.magic_value(class, ty, variables);
            body.push(stmt!("return §;", value));
        }
        element!("public § §", if head.starts_with("__callStatic") || head.starts_with("__set_state") { format!("static function {head}") } else { format!("function {head}") }, block(body))
    }

    /// Method `n` with a body, or abstract.
    pub fn method(&mut self, n: usize, class: usize, is_abstract: bool, visibility: bool) -> Node {
        let method = self.shape.methods[n].clone();
        let list = self.parameter_list(&method.parameters, false);
        let mut head = String::new();
        if is_abstract && visibility {
            head.push_str("abstract ");
        }
        head.push_str(if is_abstract { "public" } else { method.visibility });
        if method.is_static {
            head.push_str(" static");
        }
        let returns = method.returns.map(|(name, _)| format!(": {name}")).unwrap_or_default();
        if is_abstract {
            return element!("§ function m§(§)§;", head, n, list, returns);
        }
        let mut scope = Scope::new(if method.kind == Kind::Generator { Body::Generator } else { Body::Function });
        scope.rank = METHOD_RANK + n;
        scope.class = Some(class);
        scope.is_static = method.is_static;
        scope.returns = Some(method.returns.map_or(Type::Any, |(_, ty)| ty));
        scope.nest = 1;
        let body = self.function_body(scope, &method.parameters, method.kind);
        element!("§ function m§(§)§ §", head, n, list, returns, body)
    }

    pub fn property_name(&mut self) -> Node {
        if self.rng.percent(3) && !self.plain {
            let name = self.expr(Type::Str, 1);
            return expr!("{§}", name);
        }
        let name = self.rng.one(&["p0", "p0", "p1", "p1", "p2", "p2", "p3", "p3", "dyn"]);
        Node::text(Sort::Element, name)
    }

    pub fn method_call(&mut self, d: usize) -> Node {
        let from = self.scope.rank.saturating_sub(METHOD_RANK - 1);
        if self.scope.body == Body::Magic || from >= METHODS || self.classes.is_empty() {
            return self.leaf(Type::Any, 0);
        }
        let n = from + self.rng.below(METHODS - from);
        let method = self.shape.methods[n].clone();
        let arguments = self.arguments(&method.parameters, d);
        let inside = usize::from(self.scope.class.is_some());
        let this = inside * usize::from(!self.scope.is_static);
        choose!(self.rng;
            8 => {
                let object = self.expr(Type::Obj, d.min(2));
                let arrow = self.rng.one(&["->", "->", "->", "?->"]);
                expr!("(§)§m§(§)", object, arrow, n, arguments)
            },
            5 => {
                let object = self.variable(Type::Obj);
                expr!("§->m§(§)", object, n, arguments)
            },
            8 * this => expr!("$this->m§(§)", n, arguments),
            3 => {
                let class = self.class_reference();
                expr!("§::m§(§)", class, n, arguments)
            },
            3 * inside => expr!("§::m§(§)", self.rng.one(&["self", "static"]), n, arguments),
            1 => {
                let object = self.expr(Type::Obj, d.min(1));
                expr!("[§, 'm§'](§)", object, n, arguments)
            },
            1 => {
                let object = self.expr(Type::Obj, d.min(1));
                expr!("(§)->undefined§(§)", object, n, arguments)
            },
        )
    }

    pub fn method_reference(&mut self, d: usize) -> Node {
        let from = self.scope.rank.saturating_sub(METHOD_RANK - 1);
        if self.scope.body == Body::Magic || from >= METHODS || self.classes.is_empty() {
            return self.literal(Type::Callable, 0);
        }
        let n = from + self.rng.below(METHODS - from);
        let object = self.expr(Type::Obj, d.min(1));
        choose!(self.rng;
            3 => expr!("(§)->m§(...)", object, n),
            2 => expr!("[§, 'm§']", object, n),
            1 => {
                let class = self.class_reference();
                expr!("§::m§(...)", class, n)
            },
        )
    }
}
