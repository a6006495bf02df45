//! Classes, interfaces, traits and enums.
//!
//! First all are planned (kind, parent, interfaces, traits, which members), so that every body can name every class; then declared.

use super::super::rng::choose;
use super::super::tree::{Node, Sort, block, commas, element, expr, stmt};
use super::functions::Parameter;
use super::members::{INTERFACE_METHODS, METHODS, PROPERTIES};
use super::{Body, Generator, RANK_MAX, Scope, Type};
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Class,
    Abstract,
    Interface,
    Trait,
    Enum,
}

#[derive(Clone, Debug)]
pub struct Class {
    pub name: String,
    pub kind: Kind,
    parent: Option<usize>,
    interfaces: Vec<usize>,
    uses: Option<usize>,
    /// Declared here, by number.
    properties: BTreeSet<usize>,
    methods: BTreeSet<usize>,
    /// Methods that a class of this kind must have got somewhere.
    required: BTreeSet<usize>,
    /// Properties that this class or an ancestor or trait declares.
    all_properties: BTreeSet<usize>,
    all_methods: BTreeSet<usize>,
    constructor: Option<Vec<Parameter>>,
    is_final: bool,
    backed: Option<Type>,
}

/// Interfaces and their methods, with the parameters and what is returned.
type Signature = (&'static str, &'static [(&'static str, Type)], Option<Type>);
const BUILTIN_INTERFACES: &[(&str, &[Signature])] = &[
    ("\\Countable", &[("count(): int", &[], Some(Type::Int))]),
    (
        "\\ArrayAccess",
        &[
            ("offsetExists($offset): bool", &[("offset", Type::Any)], Some(Type::Bool)),
            ("offsetGet($offset): mixed", &[("offset", Type::Any)], Some(Type::Any)),
            ("offsetSet($offset, $value): void", &[("offset", Type::Any), ("value", Type::Any)], None),
            ("offsetUnset($offset): void", &[("offset", Type::Any)], None),
        ],
    ),
    ("\\JsonSerializable", &[("jsonSerialize(): mixed", &[], Some(Type::Any))]),
    ("\\IteratorAggregate", &[("getIterator(): \\Traversable", &[], Some(Type::Iter))]),
];

/// Magic methods, with the variables they have, what they return, and how likely they are.
const MAGIC: &[(Signature, usize)] = &[
    (("__get($name)", &[("name", Type::Str)], Some(Type::Any)), 14),
    (("__set($name, $value)", &[("name", Type::Str), ("value", Type::Any)], None), 12),
    (("__isset($name)", &[("name", Type::Str)], Some(Type::Bool)), 8),
    (("__unset($name)", &[("name", Type::Str)], None), 6),
    (("__call($name, $arguments)", &[("name", Type::Str), ("arguments", Type::Arr)], Some(Type::Any)), 14),
    (("__callStatic($name, $arguments)", &[("name", Type::Str), ("arguments", Type::Arr)], Some(Type::Any)), 8),
    (("__toString(): string", &[], Some(Type::Str)), 25),
    (("__invoke($x = 1)", &[("x", Type::Any)], Some(Type::Any)), 10),
    (("__clone()", &[], None), 8),
    (("__destruct()", &[], None), 25),
    (("__debugInfo()", &[], Some(Type::Arr)), 6),
    (("__serialize(): array", &[], Some(Type::Arr)), 6),
    (("__unserialize(array $data): void", &[("data", Type::Arr)], None), 5),
    (("__sleep()", &[], Some(Type::Arr)), 3),
    (("__wakeup()", &[], None), 4),
];

impl Generator<'_> {
    pub fn class_declarations(&mut self, count: usize) -> Vec<Node> {
        for n in 0..count {
            let class = self.plan_class(n);
            self.classes.push(class);
        }
        (0..count).map(|n| self.class_declaration(n)).collect()
    }

    fn plan_class(&mut self, n: usize) -> Class {
        let kind = if n == 0 {
            choose!(self.rng; 8 => Kind::Class, 1 => Kind::Abstract, 1 => Kind::Interface, 1 => Kind::Trait, 1 => Kind::Enum)
        } else {
            choose!(self.rng; 11 => Kind::Class, 2 => Kind::Abstract, 2 => Kind::Interface, 2 => Kind::Trait, 3 => Kind::Enum)
        };
        let of = |this: &Self, kinds: &[Kind]| -> Vec<usize> {
            (0..n).filter(|&i| kinds.contains(&this.classes[i].kind) && !this.classes[i].is_final).collect()
        };
        let (parents, interfaces, traits) = (of(self, &[Kind::Class, Kind::Abstract]), of(self, &[Kind::Interface]), of(self, &[Kind::Trait]));
        let inherits = matches!(kind, Kind::Class | Kind::Abstract);
        let parent = if inherits && !parents.is_empty() && self.rng.percent(55) { Some(self.rng.one(&parents)) } else { None };
        let mut chosen = Vec::new();
        if kind != Kind::Trait && !interfaces.is_empty() && self.rng.percent(60) {
            chosen.push(self.rng.one(&interfaces));
        }
        let uses = if inherits && !traits.is_empty() && self.rng.percent(60) { Some(self.rng.one(&traits)) } else { None };
        let mut class = Class {
            name: format!("C{n}"),
            kind,
            parent,
            interfaces: chosen,
            uses,
            properties: BTreeSet::new(),
            methods: BTreeSet::new(),
            required: BTreeSet::new(),
            all_properties: BTreeSet::new(),
            all_methods: BTreeSet::new(),
            constructor: None,
            is_final: kind == Kind::Class && self.rng.percent(5),
            backed: None,
        };
        for from in parent.iter().chain(&uses).chain(&class.interfaces) {
            let from = &self.classes[*from];
            class.all_properties.extend(&from.all_properties);
            class.all_methods.extend(&from.all_methods);
            class.required.extend(&from.required);
        }
        match kind {
            Kind::Interface => {
                let declared: Vec<usize> = (0..INTERFACE_METHODS).filter(|_| self.rng.percent(35)).collect();
                class.required.extend(&declared);
                class.methods.extend(declared);
                return class;
            }
            Kind::Enum => {
                class.backed = choose!(self.rng; 1 => None, 1 => Some(Type::Int), 1 => Some(Type::Str));
            }
            _ => {
                for p in 0..PROPERTIES {
                    let again = class.all_properties.contains(&p);
                    let chance = if !again { 45 } else if self.shape.properties[p].open && uses.is_none() { 12 } else { 0 };
                    if self.rng.percent(chance) {
                        class.properties.insert(p);
                    }
                }
                if self.rng.percent(35) {
                    class.constructor = Some(self.parameters(3, false));
                }
            }
        }
        for m in 0..METHODS {
            if self.rng.percent(35) {
                class.methods.insert(m);
            }
        }
        if kind != Kind::Abstract && kind != Kind::Trait {
            let missing: Vec<usize> = class.required.iter().copied().filter(|m| !class.all_methods.contains(m)).collect();
            class.methods.extend(missing);
        }
        class.all_properties.extend(&class.properties);
        class.all_methods.extend(&class.methods);
        class
    }

    fn class_declaration(&mut self, n: usize) -> Node {
        let class = self.classes[n].clone();
        self.budget -= 4;
        let mut members = Vec::new();
        let mut implements: Vec<String> = class.interfaces.iter().map(|&i| self.classes[i].name.clone()).collect();
        if let Some(used) = class.uses {
            let name = self.classes[used].name.clone();
            let renamed = self.classes[used].methods.first().copied();
            members.push(match renamed {
                Some(m) if self.rng.percent(25) => element!("use § { m§ as renamed; }", name, m),
                _ => element!("use §;", name),
            });
        }
        if class.kind == Kind::Interface {
            members.extend(class.methods.iter().map(|&m| self.method(m, n, true, false)));
            let extends = if implements.is_empty() { String::new() } else { format!(" extends {}", implements.join(", ")) };
            return stmt!("interface §§ §", class.name, extends, block(members));
        }
        if class.kind == Kind::Enum {
            self.cases(&class, &mut members);
        }
        if class.kind != Kind::Trait {
            for k in 0..2 {
                if self.rng.percent(60) {
                    let value = self.constant(Type::Any, 2);
                    let visibility = self.rng.one(&["", "public ", "public "]);
                    members.push(element!("§const K§ = §;", visibility, k, value));
                }
            }
        }
        if class.kind != Kind::Enum {
            for s in 0..2 {
                if self.rng.percent(if class.kind == Kind::Trait { 10 } else { 45 }) {
                    // One shape for each name, as for properties.
                    let head = if s == 0 { "public static $s0" } else { "public static ?int $s1" };
                    let value = if s == 0 { Node::text(Sort::Expression, "[]") } else { self.literal(Type::Int, 0) };
                    let value = if class.kind == Kind::Trait { Node::text(Sort::Expression, "null") } else { value };
                    members.push(element!("§ = §;", head, value));
                }
            }
            for &p in &class.properties {
                members.push(self.property(p, n));
            }
        }
        if let Some(parameters) = &class.constructor {
            members.push(self.constructor(parameters, n, &class));
        }
        if class.kind == Kind::Abstract {
            for m in 0..INTERFACE_METHODS {
                if !class.all_methods.contains(&m) && self.rng.percent(12) {
                    members.push(self.method(m, n, true, true));
                    self.classes[n].required.insert(m);
                }
            }
        }
        for &m in &class.methods {
            members.push(self.method(m, n, false, true));
        }
        if matches!(class.kind, Kind::Class | Kind::Abstract | Kind::Trait) {
            self.magic_members(n, &mut members);
        }
        if matches!(class.kind, Kind::Class | Kind::Abstract) {
            for (name, methods) in BUILTIN_INTERFACES {
                if self.rng.percent(12) {
                    implements.push((*name).to_owned());
                    for (head, variables, returns) in *methods {
                        members.push(match returns {
                            Some(Type::Iter) => {
                                let values = self.literal(Type::Arr, 0);
                                element!("public function § { return new \\ArrayIterator((array) §); }", *head, values)
                            }
                            returns => self.magic(n, head, variables, *returns),
                        });
                    }
                }
            }
        }
        self.head(&class, &implements, members)
    }

    fn head(&mut self, class: &Class, implements: &[String], members: Vec<Node>) -> Node {
        let keyword = match class.kind {
            Kind::Class if class.is_final => "final class",
            Kind::Class => "class",
            Kind::Abstract => "abstract class",
            Kind::Trait => "trait",
            _ => "enum",
        };
        let attribute = if class.kind == Kind::Class && self.rng.percent(30) { "#[\\AllowDynamicProperties]\n" } else { "" };
        let extends = class.parent.map(|p| format!(" extends {}", self.classes[p].name)).unwrap_or_default();
        let backing = match class.backed {
            Some(Type::Int) => ": int",
            Some(_) => ": string",
            None => "",
        };
        let implements = if implements.is_empty() { String::new() } else { format!(" implements {}", implements.join(", ")) };
        stmt!("§§ §§§§ §", attribute, keyword, class.name.clone(), backing, extends, implements, block(members))
    }

    fn cases(&mut self, class: &Class, members: &mut Vec<Node>) {
        for (n, name) in ["A", "B"].into_iter().enumerate() {
            members.push(match class.backed {
                Some(Type::Int) => element!("case § = §;", name, n * 3),
                Some(_) => element!("case § = '§';", name, self.rng.one(&["a", "1", "x y", "0"]).to_owned() + name),
                None => element!("case §;", name),
            });
        }
    }

    fn constructor(&mut self, parameters: &[Parameter], n: usize, class: &Class) -> Node {
        // Promotion would declare a property that the class may have: those are named otherwise.
        let list = self.parameter_list(parameters, class.kind != Kind::Trait);
        let mut scope = Scope::new(Body::Magic);
        scope.rank = RANK_MAX;
        scope.class = Some(n);
        scope.nest = 1;
        scope.returns = None;
        let plain = std::mem::replace(&mut self.plain, true);
        let parameters: Vec<(&'static str, Type)> = parameters.iter().map(|p| (p.name, p.ty.map_or(Type::Any, |(_, ty)| ty))).collect();
        scope.variables.extend(parameters);
        let body = self.within(scope, |this| {
            let mut all = Vec::new();
            let count = this.rng.below(3);
            for _ in 0..this.rng.below(3) {
                let (property, value) = (this.property_name(), this.expr(Type::Any, 1));
                all.push(stmt!("$this->§ = §;", property, value));
            }
            all.extend(this.statements(count, 1));
            all
        });
        self.plain = plain;
        element!("public function __construct(§) §", list, block(body))
    }

    fn magic_members(&mut self, n: usize, members: &mut Vec<Node>) {
        for ((head, variables, returns), chance) in MAGIC {
            if self.rng.percent(*chance) {
                members.push(self.magic(n, head, variables, *returns));
            }
        }
    }

    /// The constructor's parameters, inherited ones too.
    fn constructor_of(&self, mut n: usize) -> Vec<Parameter> {
        loop {
            let class = &self.classes[n];
            if let Some(parameters) = &class.constructor {
                return parameters.clone();
            }
            let from_trait = class.uses.and_then(|used| self.classes[used].constructor.clone());
            match (from_trait, class.parent) {
                (Some(parameters), _) => return parameters,
                (None, Some(parent)) => n = parent,
                (None, None) => return Vec::new(),
            }
        }
    }

    /// A class by name, or by what stands for one here.
    pub fn class_reference(&mut self) -> String {
        if let Some(class) = self.scope.class.filter(|_| self.rng.percent(50)) {
            // Without a parent the compiler refuses the whole program; a trait's may have one where it is used.
            let of = &self.classes[class];
            let may_have_parent = of.parent.is_some() || matches!(of.kind, Kind::Trait);
            let word = self.rng.one(&["self", "static", "self", "static", "parent"]);
            return if word == "parent" && !may_have_parent && self.rng.percent(97) { "self" } else { word }.to_owned();
        }
        if self.classes.is_empty() || self.rng.percent(4) {
            return self.rng.one(&["Missing", "\\ArrayObject", "\\stdClass"]).to_owned();
        }
        if self.has_variable(Type::Obj) && self.rng.percent(10) {
            return format!("${}", self.variable_name(Type::Obj));
        }
        let n = self.rng.below(self.classes.len());
        self.classes[n].name.clone()
    }

    pub fn class_name(&mut self) -> String {
        if self.classes.is_empty() || self.rng.percent(25) {
            return self.rng.one(&["\\stdClass", "\\Countable", "\\Traversable", "\\Closure", "\\Stringable", "Missing", "\\UnitEnum"]).to_owned();
        }
        let n = self.rng.below(self.classes.len());
        self.classes[n].name.clone()
    }

    /// Objects of PHP's own classes.
    pub fn simple_object(&mut self) -> Node {
        let text = self.rng.one(&[
            "new \\stdClass",
            "(object) ['p0' => 1, 'p1' => 'x']",
            "(object) [1, 'a' => null]",
            "new \\ArrayIterator([1, 2])",
            "new \\Exception('made')",
        ]);
        expr!("(§)", text)
    }

    pub fn object(&mut self, d: usize) -> Node {
        let made: Vec<usize> = (0..self.classes.len()).filter(|&n| self.classes[n].kind == Kind::Class).collect();
        let enums: Vec<usize> = (0..self.classes.len()).filter(|&n| self.classes[n].kind == Kind::Enum).collect();
        if self.scope.body == Body::Magic {
            return self.simple_object();
        }
        choose!(self.rng;
            if made.is_empty() { 0 } else { 14 } => {
                let n = self.rng.one(&made);
                let parameters = self.constructor_of(n);
                let arguments = self.arguments(&parameters, d);
                expr!("(new §(§))", self.classes[n].name.clone(), arguments)
            },
            if enums.is_empty() { 0 } else { 4 } => {
                let n = self.rng.one(&enums);
                let name = self.classes[n].name.clone();
                if self.classes[n].backed.is_some() && self.rng.percent(30) {
                    let (function, value) = (self.rng.one(&["from", "tryFrom"]), self.expr(Type::Any, d.min(1)));
                    return expr!("§::§(§)", name, function, value);
                }
                expr!("§::§", name, self.rng.one(&["A", "B"]))
            },
            3 => self.simple_object(),
            2 => {
                let array = self.expr(Type::Arr, d);
                expr!("(object) §", array)
            },
            1 => self.callable(d),
            1 => self.anonymous(&made, d),
            1 => Node::text(Sort::Expression, format!("new {}", self.class_name())),
        )
    }

    fn anonymous(&mut self, made: &[usize], d: usize) -> Node {
        let made: Vec<usize> = made.iter().copied().filter(|&n| !self.classes[n].is_final).collect();
        if made.is_empty() || self.budget < 0 {
            let value = self.expr(Type::Any, d.min(1));
            return expr!("new class(§) { public function __construct(public $p0) {} }", commas(vec![element!("§", value)], 0));
        }
        let n = self.rng.one(&made);
        let parameters = self.constructor_of(n);
        let arguments = self.arguments(&parameters, d);
        let rank = self.scope.rank;
        let method = self.rng.below(METHODS);
        let member = self.method(method, n, false, true);
        debug_assert!(rank == self.scope.rank);
        expr!("new class(§) extends § §", arguments, self.classes[n].name.clone(), block(vec![member]))
    }
}
