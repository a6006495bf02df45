//! Link tables: what the names of this instance are bound to. Slots are indexed by process-wide handles
//! ([`jumbo_bytecode::names`]) and stamped with the instance's generation, so that forgetting all bindings is one increment.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ptr::NonNull;
use jumbo_value::{PArray, Raw, Value};

/// Bound in every generation (builtins).
pub const FOREVER: u32 = u32::MAX;

/// Bound in every generation, but only [`LinkTable::get_any`] finds it: using it asks for a diagnostic (deprecated constants).
pub const DEPRECATED: u32 = u32::MAX - 1;

/// One table: handle → what it is bound to now.
#[derive(Clone)]
pub struct LinkTable<T> {
    slots: Vec<(u32, Option<T>)>,
    generation: u32,
    /// Handles bound in this generation, in this order.
    bound: Vec<u32>,
}

impl<T> Default for LinkTable<T> {
    fn default() -> Self {
        LinkTable { slots: Vec::new(), generation: 1, bound: Vec::new() }
    }
}

impl<T: Clone> LinkTable<T> {
    #[inline(always)]
    pub fn get(&self, handle: u32) -> Option<&T> {
        let (stamp, value) = self.slots.get(handle as usize)?;
        // What scripts declare is asked for more often than what the process knows.
        if *stamp == self.generation || *stamp == FOREVER { value.as_ref() } else { None }
    }
    /// As [`get`](Self::get), deprecated ones included; says whether it is one.
    pub fn get_any(&self, handle: u32) -> Option<(&T, bool)> {
        match self.slots.get(handle as usize) {
            Some((stamp, value)) if *stamp == self.generation || *stamp >= DEPRECATED => {
                value.as_ref().map(|v| (v, *stamp == DEPRECATED))
            }
            _ => None,
        }
    }
    pub fn bind(&mut self, handle: u32, value: T) {
        if self.slots.get(handle as usize).is_none_or(|slot| slot.0 != self.generation) {
            self.bound.push(handle);
        }
        self.put(handle, value, self.generation);
    }
    /// Binds for all generations: for builtins.
    pub fn bind_forever(&mut self, handle: u32, value: T) {
        self.put(handle, value, FOREVER);
    }
    /// Binds for all generations what [`get`](Self::get) shall not find.
    pub fn bind_deprecated(&mut self, handle: u32, value: T) {
        self.put(handle, value, DEPRECATED);
    }
    fn put(&mut self, handle: u32, value: T, stamp: u32) {
        let at = handle as usize;
        if at >= self.slots.len() {
            self.slots.resize_with((at + 1).max(self.slots.len() * 2), || (0, None));
        }
        self.slots[at] = (stamp, Some(value));
    }
    pub fn unbind(&mut self, handle: u32) {
        if let Some(slot) = self.slots.get_mut(handle as usize) {
            *slot = (0, None);
            self.bound.retain(|&bound| bound != handle);
        }
    }
    /// Forgets everything but the builtins.
    pub fn forget(&mut self) {
        self.bound.clear();
        self.generation += 1;
        if self.generation == DEPRECATED {
            self.generation = 1;
            for slot in &mut self.slots {
                if slot.0 < DEPRECATED {
                    *slot = (0, None);
                }
            }
        }
    }
    /// As [`forget`](Self::forget), and drops what was bound: for tables whose entries hold values of the heap.
    pub fn clear(&mut self) {
        for &handle in &self.bound {
            // Bound again for all generations, it would stay.
            if let Some(slot) = self.slots.get_mut(handle as usize).filter(|slot| slot.0 < DEPRECATED) {
                *slot = (0, None);
            }
        }
        self.forget();
    }
    /// What was bound in this generation and still is, in the order of binding.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.bound.iter().filter_map(|&handle| {
            let (stamp, value) = self.slots.get(handle as usize)?;
            (*stamp == self.generation).then_some(())?;
            Some((handle, value.as_ref()?))
        })
    }
}

/// What PHP code can change of one class, in one instance.
#[derive(Default)]
pub struct ClassState {
    /// Static properties declared by the class. `Undef`: uninitialised typed property.
    pub statics: Box<[Value]>,
    pub statics_ready: bool,
    /// All that the class has to evaluate has been evaluated: constants, defaults, initial values.
    pub evaluated: bool,
    /// Evaluated constants and enum cases, by their position in the class's table.
    pub constants: Vec<Option<Value>>,
    /// The cases of a backed enum by their values, once they were looked for. (Strings are keys as they are, numbers among them.)
    pub cases: Option<PArray>,
    /// Constants being evaluated now (for the self-reference error).
    pub evaluating: Vec<u32>,
    /// Evaluated defaults of the slots; empty until the first object is made.
    pub defaults: Vec<Value>,
    pub defaults_ready: bool,
    /// The defaults of the parent's slots, if they had been evaluated when the class was linked.
    pub inherited_defaults: Vec<Value>,
}

/// The states of an instance's classes, by class id. The last used ones are found without hashing.
pub struct ClassStates {
    /// Where the static properties are whose initial values are evaluated, by [`StaticProperty::number`](crate::class::StaticProperty).
    pub slots: LinkTable<NonNull<Raw>>,
    states: Vec<ClassState>,
    numbers: HashMap<u32, u32, BuildHasherDefault<crate::class::NameHasher>>,
    /// Class id and number of a state, at the place that the id's low bits say.
    recent: [(u32, u32); ClassStates::RECENT],
}

impl Default for ClassStates {
    fn default() -> Self {
        ClassStates { slots: LinkTable::default(), states: Vec::new(), numbers: HashMap::default(), recent: [ClassStates::NOTHING; ClassStates::RECENT] }
    }
}

impl ClassStates {
    const RECENT: usize = 16;
    const NOTHING: (u32, u32) = (u32::MAX, u32::MAX);

    /// The state of a class, made when it is asked for first.
    #[inline]
    pub fn get(&mut self, id: u32) -> &mut ClassState {
        let (class, number) = self.recent[id as usize % Self::RECENT];
        let number = if class == id { number as usize } else { self.find(id) };
        &mut self.states[number]
    }

    #[inline(never)]
    fn find(&mut self, id: u32) -> usize {
        let number = *self.numbers.entry(id).or_insert_with(|| {
            self.states.push(ClassState::default());
            self.states.len() as u32 - 1
        });
        self.recent[id as usize % Self::RECENT] = (id, number);
        number as usize
    }

    /// Forgets all of them. What they hold may have destructors, which must not find them again.
    pub fn clear(&mut self) {
        self.slots.forget();
        self.numbers.clear();
        self.recent = [Self::NOTHING; Self::RECENT];
        drop(std::mem::take(&mut self.states));
    }
}
