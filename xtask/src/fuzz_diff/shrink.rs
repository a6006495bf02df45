//! Makes a program that differs smaller, as long as it still differs.
//!
//! Candidates come from the tree alone: a run of a list's elements left out, a statement replaced by the statements within it, an
//! expression by one of those within it or by a plain literal. Whether a candidate is valid PHP needs no thought: what both engines
//! refuse alike does not differ.

use super::tree::{Node, Part, Sort};

/// What an expression may become when none of its own parts will do.
const PLAIN: &[&str] = &["null", "1", "''", "[]"];

/// The trees one step smaller than `root`, largest steps first.
pub fn candidates(root: &Node) -> Vec<Node> {
    let mut steps = Vec::new();
    collect(root, &mut Vec::new(), &mut steps);
    let mut all: Vec<(usize, Node)> = steps
        .into_iter()
        .filter_map(|(path, step)| {
            let mut tree = root.clone();
            apply(&mut tree, &path, &step)?;
            Some((tree.size() * 64 + tree.print().len(), tree))
        })
        .collect();
    let whole = root.size() * 64 + root.print().len();
    all.retain(|(size, _)| *size < whole);
    all.sort_by_key(|(size, _)| *size);
    all.into_iter().map(|(_, tree)| tree).collect()
}

/// Where: for each level the part, and for lists the element.
type Path = Vec<(usize, usize)>;

enum Step {
    /// Leave out elements `from..to` of the list that is part `part`.
    Remove { part: usize, from: usize, to: usize },
    /// Put the statements within element `at` of the list `part` in its place.
    Hoist { part: usize, at: usize },
    /// Replace this expression.
    Become(Node),
}

fn collect(node: &Node, path: &mut Path, steps: &mut Vec<(Path, Step)>) {
    if node.sort == Sort::Expression {
        let mut inner = Vec::new();
        expressions_within(node, &mut inner);
        steps.extend(inner.into_iter().map(|inner| (path.clone(), Step::Become(inner.clone()))));
        if !is_plain(node) {
            steps.extend(PLAIN.iter().map(|text| (path.clone(), Step::Become(Node::text(Sort::Expression, *text)))));
        }
    }
    for (at, part) in node.parts.iter().enumerate() {
        match part {
            Part::Text(_) => {}
            Part::Node(inner) => {
                path.push((at, 0));
                collect(inner, path, steps);
                path.pop();
            }
            Part::List(list) => {
                let length = list.items.len();
                let mut run = length.saturating_sub(list.least);
                while run > 0 {
                    for from in (0..=length - run).step_by(run) {
                        steps.push((path.clone(), Step::Remove { part: at, from, to: from + run }));
                    }
                    run /= 2;
                }
                for (n, item) in list.items.iter().enumerate() {
                    if item.sort == Sort::Statement && item.size() > 1 {
                        steps.push((path.clone(), Step::Hoist { part: at, at: n }));
                    }
                    path.push((at, n));
                    collect(item, path, steps);
                    path.pop();
                }
            }
        }
    }
}

fn is_plain(node: &Node) -> bool {
    matches!(node.parts.as_slice(), [Part::Text(text)] if PLAIN.contains(&text.as_str()))
}

/// The nearest expressions below `node`.
fn expressions_within<'n>(node: &'n Node, found: &mut Vec<&'n Node>) {
    let mut look = |inner: &'n Node| {
        if inner.sort == Sort::Expression { found.push(inner) } else { expressions_within(inner, found) }
    };
    for part in &node.parts {
        match part {
            Part::Text(_) => {}
            Part::Node(inner) => look(inner),
            Part::List(list) => list.items.iter().for_each(&mut look),
        }
    }
}

/// The nearest statements below `node`.
fn statements_within(node: &Node, found: &mut Vec<Node>) {
    for part in &node.parts {
        match part {
            Part::Text(_) => {}
            Part::Node(inner) if inner.sort == Sort::Statement => found.push(inner.clone()),
            Part::Node(inner) => statements_within(inner, found),
            Part::List(list) => {
                for item in &list.items {
                    if item.sort == Sort::Statement { found.push(item.clone()) } else { statements_within(item, found) }
                }
            }
        }
    }
}

/// `None` when the step changes nothing.
fn apply(root: &mut Node, path: &[(usize, usize)], step: &Step) -> Option<()> {
    let mut node = root;
    for &(part, item) in path {
        node = match node.parts.get_mut(part)? {
            Part::Node(inner) => inner,
            Part::List(list) => list.items.get_mut(item)?,
            Part::Text(_) => return None,
        };
    }
    match step {
        Step::Become(other) => *node = other.clone(),
        Step::Remove { part, from, to } => {
            let Part::List(list) = node.parts.get_mut(*part)? else { return None };
            list.items.drain(*from..*to);
        }
        Step::Hoist { part, at } => {
            let Part::List(list) = node.parts.get_mut(*part)? else { return None };
            let mut inner = Vec::new();
            statements_within(&list.items[*at], &mut inner);
            if inner.is_empty() {
                return None;
            }
            list.items.splice(*at..=*at, inner);
        }
    }
    Some(())
}
