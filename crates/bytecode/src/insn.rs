//! The instruction word, the enum of opcodes, and what is known of each.

use crate::for_each_op;

/// Operand kinds, as documented in [`crate::op`].
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Unused.
    _Unused,
    D,
    R,
    O,
    P,
    V,
    W,
    L,
    F,
    N,
    Q,
    /// Doubled, in specialised forms.
    Rs,
    Os,
    Ps,
    Vs,
    Ls,
    /// In an extra word.
    J,
    H,
    K,
    C,
    /// A jump in `b` and `c`.
    bcJ,
    /// A number in `b` and `c`.
    bcN,
}

impl Kind {
    /// The kind of which this is the doubled one.
    const fn of_doubled(self) -> Option<Kind> {
        Some(match self {
            Kind::Rs => Kind::R,
            Kind::Os => Kind::O,
            Kind::Ps => Kind::P,
            Kind::Vs => Kind::V,
            Kind::Ls => Kind::L,
            _ => return None,
        })
    }
    /// Does such an operand name a place that is written to?
    const fn is_place(self) -> bool {
        matches!(self, Kind::W | Kind::V) || matches!(self.of_doubled(), Some(Kind::V))
    }
}

/// What the table says of one opcode.
#[derive(Debug)]
pub struct OpInfo {
    pub name: &'static str,
    pub a: Kind,
    pub b: Kind,
    pub c: Kind,
    pub ext: &'static [Kind],
    /// Does an operand name a place that is written to?
    pub writes_places: bool,
}

macro_rules! kind {
    (_) => {
        Kind::_Unused
    };
    ($k:ident) => {
        Kind::$k
    };
}

macro_rules! define {
    ($($(#[doc = $doc:literal])* $name:ident [$a:tt $b:tt $c:tt] [$($e:ident)*];)*) => {
        /// The opcodes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        pub enum Op {
            $($(#[doc = $doc])* $name,)*
        }

        /// Indexed by opcode.
        pub static OPS: &[OpInfo] = &[
            $(OpInfo {
                name: stringify!($name),
                a: kind!($a),
                b: kind!($b),
                c: kind!($c),
                ext: &[$(Kind::$e),*],
                writes_places: kind!($a).is_place() || kind!($b).is_place() || kind!($c).is_place(),
            },)*
        ];

        const ALL: &[Op] = &[$(Op::$name,)*];
    };
}
for_each_op!(define);

impl Op {
    /// The number of opcodes.
    pub const COUNT: usize = ALL.len();

    #[inline]
    pub fn info(self) -> &'static OpInfo {
        &OPS[self as usize]
    }

    /// Words of an instruction with this opcode: 1 plus its extra words.
    #[inline]
    pub fn words(self) -> usize {
        1 + self.info().ext.len()
    }

    pub fn from_u16(n: u16) -> Option<Op> {
        ALL.get(n as usize).copied()
    }
}

/// One word of code.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Insn(pub u64);

impl Insn {
    #[inline]
    pub const fn new(op: Op, a: u16, b: u16, c: u16) -> Insn {
        Insn(op as u64 | (a as u64) << 16 | (b as u64) << 32 | (c as u64) << 48)
    }
    /// An instruction with a 32-bit number or jump in `b` and `c`.
    #[inline]
    pub const fn with_bc(op: Op, a: u16, bc: u32) -> Insn {
        Insn(op as u64 | (a as u64) << 16 | (bc as u64) << 32)
    }
    #[inline(always)]
    pub const fn opcode(self) -> u16 {
        self.0 as u16
    }
    /// The opcode; `Nop` for a word that is none (the verifier refuses such code).
    pub fn op(self) -> Op {
        Op::from_u16(self.opcode()).unwrap_or(Op::Nop)
    }
    #[inline(always)]
    pub const fn a(&self) -> u16 {
        self.part(1)
    }
    #[inline(always)]
    pub const fn b(&self) -> u16 {
        self.part(2)
    }
    #[inline(always)]
    pub const fn c(&self) -> u16 {
        self.part(3)
    }
    /// One of the four parts, low half first. Read from where it lies: a handler that uses three operands then loads three halfwords
    /// instead of shifting and masking one word.
    #[inline(always)]
    const fn part(&self, n: usize) -> u16 {
        let n = if cfg!(target_endian = "little") { n } else { 3 - n };
        // SAFETY: the word has four halfwords, and `n` is one of them.
        unsafe { *(&raw const self.0).cast::<u16>().add(n) }
    }
    /// The operands with their kinds; doubled ones are halved, and of the plain kind.
    pub fn operands(self) -> [(Kind, u16); 3] {
        let info = self.op().info();
        [(info.a, self.a()), (info.b, self.b()), (info.c, self.c())].map(|(kind, value)| match kind.of_doubled() {
            Some(plain) => (plain, value / 2),
            None => (kind, value),
        })
    }
    /// The instruction with the operands doubled that its opcode wants so. Not to be done twice.
    pub fn doubled(self) -> Insn {
        let info = self.op().info();
        let parts = [(info.a, self.a()), (info.b, self.b()), (info.c, self.c())];
        let [a, b, c] = parts.map(|(kind, value)| if kind.of_doubled().is_some() { value * 2 } else { value });
        Insn::new(self.op(), a, b, c)
    }
    #[inline(always)]
    pub const fn bc(self) -> u32 {
        (self.0 >> 32) as u32
    }
    /// `bc` as a jump.
    #[inline(always)]
    pub const fn jump(self) -> i32 {
        (self.0 >> 32) as i32
    }
}

impl std::fmt::Debug for Insn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {} {} {}", self.op(), self.a(), self.b(), self.c())
    }
}

/// The instructions of `code`: position and instruction, extra words passed over.
pub fn walk(code: &[Insn]) -> impl Iterator<Item = (usize, Insn)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let insn = *code.get(at)?;
        let here = at;
        at += insn.op().words();
        Some((here, insn))
    })
}
