//! The tree of a generated program: concrete text with typed holes, so that one printer and one shrinker serve every construct.
//!
//! A node knows what it is (an expression, a statement, an element of a list) and its text, cut into pieces; a piece is fixed text, a
//! node, or a list of nodes from which elements may be taken away. Grammar modules build nodes from templates, in which `§` is a hole.

/// What a node can be replaced by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// Another expression.
    Expression,
    /// The statements within it, or nothing.
    Statement,
    /// Nothing: an argument, an item, a member, a parameter.
    Element,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub sort: Sort,
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub enum Part {
    Text(String),
    Node(Node),
    List(List),
}

#[derive(Clone, Debug)]
pub struct List {
    pub items: Vec<Node>,
    pub form: Form,
    /// The list stays valid with so many elements.
    pub least: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Separated(&'static str),
    /// One a line, in braces.
    Block,
    /// One a line.
    Lines,
}

impl From<Node> for Part {
    fn from(node: Node) -> Part {
        Part::Node(node)
    }
}

impl From<List> for Part {
    fn from(list: List) -> Part {
        Part::List(list)
    }
}

impl From<String> for Part {
    fn from(text: String) -> Part {
        Part::Text(text)
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Part {
        Part::Text(text.to_owned())
    }
}

impl From<usize> for Part {
    fn from(number: usize) -> Part {
        Part::Text(number.to_string())
    }
}

impl Node {
    /// Fills the holes of `template`, in order.
    pub fn new(sort: Sort, template: &str, holes: Vec<Part>) -> Node {
        let mut parts = Vec::with_capacity(holes.len() * 2 + 1);
        let mut texts = template.split('§');
        let first = texts.next().unwrap_or_default();
        if !first.is_empty() {
            parts.push(first.into());
        }
        debug_assert_eq!(template.split('§').count(), holes.len() + 1, "{template}");
        for (hole, text) in holes.into_iter().zip(texts) {
            parts.push(hole);
            if !text.is_empty() {
                parts.push(text.into());
            }
        }
        Node { sort, parts }
    }

    pub fn text(sort: Sort, text: impl Into<String>) -> Node {
        Node { sort, parts: vec![Part::Text(text.into())] }
    }

    pub fn print(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out
    }

    fn write(&self, out: &mut String, indent: usize) {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Node(node) => node.write(out, indent),
                Part::List(list) => list.write(out, indent),
            }
        }
    }

    /// How much there is to shrink.
    pub fn size(&self) -> usize {
        let part = |part: &Part| match part {
            Part::Text(_) => 0,
            Part::Node(node) => node.size(),
            Part::List(list) => list.items.iter().map(Node::size).sum(),
        };
        1 + self.parts.iter().map(part).sum::<usize>()
    }
}

impl List {
    fn write(&self, out: &mut String, indent: usize) {
        const STEP: &str = "    ";
        match self.form {
            Form::Separated(separator) => {
                for (n, item) in self.items.iter().enumerate() {
                    if n > 0 {
                        out.push_str(separator);
                    }
                    item.write(out, indent);
                }
            }
            Form::Block => {
                out.push_str("{\n");
                for item in &self.items {
                    out.push_str(&STEP.repeat(indent + 1));
                    item.write(out, indent + 1);
                    out.push('\n');
                }
                out.push_str(&STEP.repeat(indent));
                out.push('}');
            }
            Form::Lines => {
                for (n, item) in self.items.iter().enumerate() {
                    if n > 0 {
                        out.push('\n');
                        out.push_str(&STEP.repeat(indent));
                    }
                    item.write(out, indent);
                }
            }
        }
    }
}

/// Statements or members in braces.
pub fn block(items: Vec<Node>) -> List {
    List { items, form: Form::Block, least: 0 }
}

/// Elements between commas.
pub fn commas(items: Vec<Node>, least: usize) -> List {
    List { items, form: Form::Separated(", "), least }
}

macro_rules! expr {
    ($template:expr $(, $hole:expr)* $(,)?) => {
        $crate::fuzz_diff::tree::Node::new(
            $crate::fuzz_diff::tree::Sort::Expression, $template, vec![$($crate::fuzz_diff::tree::Part::from($hole)),*])
    };
}

macro_rules! stmt {
    ($template:expr $(, $hole:expr)* $(,)?) => {
        $crate::fuzz_diff::tree::Node::new(
            $crate::fuzz_diff::tree::Sort::Statement, $template, vec![$($crate::fuzz_diff::tree::Part::from($hole)),*])
    };
}

macro_rules! element {
    ($template:expr $(, $hole:expr)* $(,)?) => {
        $crate::fuzz_diff::tree::Node::new(
            $crate::fuzz_diff::tree::Sort::Element, $template, vec![$($crate::fuzz_diff::tree::Part::from($hole)),*])
    };
}
pub(crate) use {element, expr, stmt};
