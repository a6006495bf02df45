//! Safe handles over PCRE2's C interface: the only unsafe code of this extension.
//!
//! Invariants: a [`Code`] is never changed after [`Code::compile`] returned (JIT compilation included), so threads
//! may match with it at once. A [`MatchData`] and a [`MatchContext`] belong to one thread, and to one match at a time: whoever matches takes
//! them away from where others would find them, since a match has safepoints inside ([`jumbo_abi::interruptible`]). A match may be abandoned
//! anywhere, so all memory that PCRE2 takes for one is remembered by its [`MatchData`] too. No callouts are ever set.
//!
//! Hazard: `pcre2_jit_match` checks nothing. [`MatchData::exec`] is the only caller, and asserts what it relies on.

use jumbo_abi::{Cx, Res, interruptible};
use pcre2_sys as raw;
use std::alloc::Layout;
use std::cell::RefCell;
use std::ffi::{c_int, c_void};
use std::ptr::{self, NonNull};

pub use raw::{
    PCRE2_ANCHORED, PCRE2_CASELESS, PCRE2_DOLLAR_ENDONLY, PCRE2_DOTALL, PCRE2_DUPNAMES,
    PCRE2_ERROR_BADUTFOFFSET, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_JIT_STACKLIMIT,
    PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_NOMATCH, PCRE2_ERROR_UTF8_ERR1, PCRE2_ERROR_UTF8_ERR21,
    PCRE2_EXTENDED, PCRE2_EXTRA_CASELESS_RESTRICT, PCRE2_MULTILINE, PCRE2_NO_AUTO_CAPTURE,
    PCRE2_NO_JIT, PCRE2_NO_UTF_CHECK, PCRE2_NOTEMPTY_ATSTART, PCRE2_UCP, PCRE2_UNGREEDY,
    PCRE2_UTF,
};

/// The JIT stack's first and largest size in bytes, as stock PHP has them: what overflows there overflows here.
const JIT_STACK_BYTES_MIN: usize = 32 * 1024;
const JIT_STACK_BYTES_MAX: usize = 192 * 1024;

/// A PCRE2 error code of a compilation, and where in the pattern it was noticed.
pub struct CompileError {
    pub code: i32,
    pub offset: usize,
}

/// The text PCRE2 has for an error code.
pub fn error_message(code: i32) -> String {
    let mut buffer = [0u8; 256];
    // SAFETY: pointer and length describe `buffer`, which PCRE2 fills and ends with NUL.
    let length = unsafe { raw::pcre2_get_error_message_8(code, buffer.as_mut_ptr(), buffer.len()) };
    let length = usize::try_from(length).unwrap_or(0).min(buffer.len());
    String::from_utf8_lossy(&buffer[..length]).into_owned()
}

pub fn library_version() -> String {
    let mut buffer = [0u8; 64];
    // SAFETY: with a null pointer PCRE2 only reports the size it needs.
    let needed = unsafe { raw::pcre2_config_8(raw::PCRE2_CONFIG_VERSION, ptr::null_mut()) };
    if usize::try_from(needed).is_ok_and(|needed| needed <= buffer.len()) {
        // SAFETY: the buffer holds the bytes that PCRE2 said it writes.
        unsafe { raw::pcre2_config_8(raw::PCRE2_CONFIG_VERSION, buffer.as_mut_ptr().cast()) };
    }
    let end = buffer.iter().position(|&b| b == 0).unwrap_or(0);
    String::from_utf8_lossy(&buffer[..end]).into_owned()
}

/// A compiled pattern.
pub struct Code {
    code: NonNull<raw::pcre2_code_8>,
    /// The JIT has made machine code for it.
    pub jit: bool,
}

// SAFETY: PCRE2 documents compiled patterns as usable by several threads at once; nothing changes one after `compile`.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the handle came from pcre2_compile and is freed once.
        unsafe { raw::pcre2_code_free_8(self.code.as_ptr()) }
    }
}

impl Code {
    /// How large the compiled form is, machine code included.
    pub fn bytes(&self) -> usize {
        let (mut size, mut jit): (usize, usize) = (0, 0);
        // SAFETY: both write a size_t.
        unsafe {
            self.info(raw::PCRE2_INFO_SIZE, (&raw mut size).cast());
            self.info(raw::PCRE2_INFO_JITSIZE, (&raw mut jit).cast());
        }
        size + jit
    }

    /// Compiles `pattern`, for the interpreter and, where the pattern allows it, for the JIT. The second item is the
    /// JIT's error code when it refused.
    pub fn compile(
        pattern: &[u8],
        options: u32,
        extra: u32,
    ) -> Result<(Code, Option<i32>), CompileError> {
        let mut code: c_int = 0;
        let mut offset: usize = 0;
        // SAFETY: creates a context with the default allocator; null is tested below.
        let context = unsafe { raw::pcre2_compile_context_create_8(ptr::null_mut()) };
        if context.is_null() {
            return Err(CompileError {
                code: raw::PCRE2_ERROR_NOMEMORY,
                offset: 0,
            });
        }
        // SAFETY: `context` is live; `pattern` is readable for its length and PCRE2 copies what it needs; the two
        // out parameters are live locals. The context is freed once.
        let compiled = unsafe {
            raw::pcre2_set_compile_extra_options_8(
                context,
                extra | raw::PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK,
            );
            let compiled = raw::pcre2_compile_8(
                pattern.as_ptr(),
                pattern.len(),
                options,
                &mut code,
                &mut offset,
                context,
            );
            raw::pcre2_compile_context_free_8(context);
            compiled
        };
        let Some(handle) = NonNull::new(compiled) else {
            return Err(CompileError { code, offset });
        };
        let mut compiled = Code {
            code: handle,
            jit: false,
        };
        // SAFETY: the handle is live and no other thread knows it yet.
        let status = unsafe { raw::pcre2_jit_compile_8(handle.as_ptr(), raw::PCRE2_JIT_COMPLETE) };
        let mut jit_bytes: usize = 0;
        if status == 0 {
            // SAFETY: PCRE2_INFO_JITSIZE writes a size_t.
            unsafe { compiled.info(raw::PCRE2_INFO_JITSIZE, (&raw mut jit_bytes).cast()) };
        }
        compiled.jit = jit_bytes > 0;
        // A library without JIT is not worth a warning: nothing the user wrote is the cause.
        let refused = status != 0 && status != raw::PCRE2_ERROR_JIT_BADOPTION;
        Ok((compiled, refused.then_some(status)))
    }

    /// # Safety
    /// `out` must point to the type that PCRE2 documents for `what`.
    unsafe fn info(&self, what: u32, out: *mut c_void) {
        // SAFETY: the handle is live; the type of `out` is the caller's contract.
        let status = unsafe { raw::pcre2_pattern_info_8(self.code.as_ptr(), what, out) };
        debug_assert_eq!(status, 0);
    }

    fn info_u32(&self, what: u32) -> u32 {
        let mut value: u32 = 0;
        // SAFETY: only called for items that PCRE2 documents as uint32_t.
        unsafe { self.info(what, (&raw mut value).cast()) };
        value
    }

    /// How many capturing groups the pattern has, the whole match not counted.
    pub fn capture_count(&self) -> u32 {
        self.info_u32(raw::PCRE2_INFO_CAPTURECOUNT)
    }

    /// Whether subjects are UTF-8: by the `u` modifier or by `(*UTF)` in the pattern.
    pub fn is_utf(&self) -> bool {
        self.info_u32(raw::PCRE2_INFO_ALLOPTIONS) & PCRE2_UTF != 0
    }

    /// The names of groups, as (group, name).
    pub fn names(&self) -> Vec<(u16, Box<[u8]>)> {
        let count = self.info_u32(raw::PCRE2_INFO_NAMECOUNT) as usize;
        let entry_bytes = self.info_u32(raw::PCRE2_INFO_NAMEENTRYSIZE) as usize;
        if count == 0 || entry_bytes < 3 {
            return Vec::new();
        }
        let mut table: *const u8 = ptr::null();
        // SAFETY: PCRE2_INFO_NAMETABLE writes a pointer.
        unsafe { self.info(raw::PCRE2_INFO_NAMETABLE, (&raw mut table).cast()) };
        if table.is_null() {
            return Vec::new();
        }
        // SAFETY: the table has `count` entries of `entry_bytes` bytes and lives as long as the pattern.
        let table = unsafe { std::slice::from_raw_parts(table, count * entry_bytes) };
        let entry = |bytes: &[u8]| {
            let name = &bytes[2..];
            let end = name.iter().position(|&b| b == 0).unwrap_or(name.len());
            (u16::from_be_bytes([bytes[0], bytes[1]]), name[..end].into())
        };
        table.chunks_exact(entry_bytes).map(entry).collect()
    }
}

/// A thread's matching limits and JIT stack.
pub struct MatchContext {
    context: NonNull<raw::pcre2_match_context_8>,
    stack: *mut raw::pcre2_jit_stack_8,
}

impl MatchContext {
    /// `None` when memory is out.
    pub fn new() -> Option<MatchContext> {
        // SAFETY: creation with the default allocator; null is handled.
        let context = NonNull::new(unsafe { raw::pcre2_match_context_create_8(ptr::null_mut()) })?;
        // SAFETY: as above. Without a stack of ours the JIT uses 32 KiB of the machine stack, which is safe too.
        let stack = unsafe {
            raw::pcre2_jit_stack_create_8(JIT_STACK_BYTES_MIN, JIT_STACK_BYTES_MAX, ptr::null_mut())
        };
        if !stack.is_null() {
            // SAFETY: both are live; with a null callback PCRE2 takes the data pointer as the stack. The stack is
            // freed after the context.
            unsafe { raw::pcre2_jit_stack_assign_8(context.as_ptr(), None, stack.cast()) };
        }
        Some(MatchContext { context, stack })
    }

    pub fn set_limits(&self, match_limit: u32, depth_limit: u32) {
        // SAFETY: the context is live and of this thread.
        unsafe {
            raw::pcre2_set_match_limit_8(self.context.as_ptr(), match_limit);
            raw::pcre2_set_depth_limit_8(self.context.as_ptr(), depth_limit);
        }
    }
}

impl Drop for MatchContext {
    fn drop(&mut self) {
        // SAFETY: both handles are freed once; freeing a null stack does nothing.
        unsafe {
            raw::pcre2_match_context_free_8(self.context.as_ptr());
            raw::pcre2_jit_stack_free_8(self.stack);
        }
    }
}

/// The memory that PCRE2 has for one [`MatchData`]. What it forgot when a match was abandoned is still known here, and what it would free twice
/// is not there any more.
#[derive(Default)]
struct Blocks(RefCell<Vec<(NonNull<u8>, Layout)>>);

/// What PCRE2 expects of any memory.
const BLOCK_ALIGN: usize = 16;

/// # Safety
/// As PCRE2 calls it: `blocks` are those of a live [`MatchData`].
unsafe extern "C" fn take_block(bytes: usize, blocks: *mut c_void) -> *mut c_void {
    let _pause = interruptible::Pause::begin();
    let Ok(layout) = Layout::from_size_align(bytes.max(1), BLOCK_ALIGN) else { return ptr::null_mut() };
    // SAFETY: PCRE2 hands on the blocks of `MatchData::new`, which outlive its data; the layout is not empty.
    unsafe {
        let Some(block) = NonNull::new(std::alloc::alloc(layout)) else { return ptr::null_mut() };
        (*blocks.cast::<Blocks>()).0.borrow_mut().push((block, layout));
        block.as_ptr().cast()
    }
}

/// # Safety
/// As [`take_block`].
unsafe extern "C" fn free_block(block: *mut c_void, blocks: *mut c_void) {
    let _pause = interruptible::Pause::begin();
    // SAFETY: as above; a block that is remembered is live.
    unsafe {
        let mut blocks = (*blocks.cast::<Blocks>()).0.borrow_mut();
        if let Some(at) = blocks.iter().position(|(known, _)| ptr::eq(known.as_ptr(), block.cast())) {
            let (block, layout) = blocks.swap_remove(at);
            std::alloc::dealloc(block.as_ptr(), layout);
        }
    }
}

/// Room for the offsets of one match.
pub struct MatchData {
    data: NonNull<raw::pcre2_match_data_8>,
    pairs: usize,
    /// PCRE2 knows where it is.
    blocks: NonNull<Blocks>,
}

impl Drop for MatchData {
    fn drop(&mut self) {
        // SAFETY: freed once, the blocks that the match data itself is one of at last.
        unsafe {
            let blocks = Box::from_raw(self.blocks.as_ptr());
            for (block, layout) in blocks.0.borrow_mut().drain(..) {
                std::alloc::dealloc(block.as_ptr(), layout);
            }
        }
    }
}

/// One match, for [`run`].
struct Match {
    code: *const raw::pcre2_code_8,
    subject: *const u8,
    bytes: usize,
    offset: usize,
    options: u32,
    data: *mut raw::pcre2_match_data_8,
    context: *mut raw::pcre2_match_context_8,
    /// Straight into the machine code.
    direct: bool,
}

/// # Safety
/// `this` is a [`Match`] whose handles are live.
unsafe extern "C" fn run(this: *mut c_void) -> c_int {
    // SAFETY: `MatchData::exec` gives a whole one.
    unsafe {
        let Match { code, subject, bytes, offset, options, data, context, direct } = *this.cast::<Match>();
        if direct {
            raw::pcre2_jit_match_8(code, subject, bytes, offset, 0, data, context)
        } else {
            raw::pcre2_match_8(code, subject, bytes, offset, options, data, context)
        }
    }
}

impl MatchData {
    /// Room for `pairs` groups, the whole match included. `None` when memory is out.
    pub fn new(pairs: u32) -> Option<MatchData> {
        let blocks = NonNull::from(Box::leak(Box::<Blocks>::default()));
        // SAFETY: the allocator's functions keep PCRE2's contract; null is handled. The match data copies what it needs of the context, whose own
        // block goes first.
        let data = unsafe {
            let general = raw::pcre2_general_context_create_8(Some(take_block), Some(free_block), blocks.as_ptr().cast());
            let data = if general.is_null() { ptr::null_mut() } else { raw::pcre2_match_data_create_8(pairs, general) };
            raw::pcre2_general_context_free_8(general);
            data
        };
        let Some(data) = NonNull::new(data) else {
            // SAFETY: nobody else knows them.
            drop(unsafe { Box::from_raw(blocks.as_ptr()) });
            return None;
        };
        // SAFETY: `data` is live.
        let pairs = unsafe { raw::pcre2_get_ovector_count_8(data.as_ptr()) } as usize;
        Some(MatchData { data, pairs, blocks })
    }

    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// Matches once, and returns PCRE2's answer: the highest matched group plus 1, or a negative error code. With `cx` there are safepoints
    /// inside; an error is what one of them said, and `self` and `context` must be dropped then.
    /// With `PCRE2_NO_UTF_CHECK` in `options` the caller vouches, when the pattern is UTF, that the subject is valid
    /// UTF-8 and `offset` the start of a character.
    pub fn exec(&mut self, cx: Option<&mut Cx>, code: &Code, context: &MatchContext, subject: &[u8], offset: usize, options: u32) -> Res<i32> {
        assert!(offset <= subject.len());
        let direct = code.jit && options == PCRE2_NO_UTF_CHECK;
        // A walk over a long subject asks often.
        debug_assert!(
            !direct || !code.is_utf() || subject.len() > 4096 || std::str::from_utf8(subject).is_ok_and(|s| s.is_char_boundary(offset))
        );
        let mut this = Match {
            code: code.code.as_ptr(),
            subject: subject.as_ptr(),
            bytes: subject.len(),
            offset,
            options,
            data: self.data.as_ptr(),
            context: context.context.as_ptr(),
            direct,
        };
        let this = (&raw mut this).cast();
        // SAFETY: all handles are live, and `subject` is readable for its length. PCRE2 keeps the subject's pointer in the match data, but nothing
        // here asks for substrings, which is what would read it. Of a direct match: the pattern has machine code; the offset is inside the
        // subject; in UTF mode the subject is valid (the caller's contract); no option is left that the machine code would not know.
        // As to interruptions: PCRE2 has no state but what it is given, which belongs to this match alone, and its memory comes from
        // `take_block`. The JIT's stack has all its address space from its start.
        unsafe {
            match cx {
                Some(cx) => interruptible::call(cx, run, this),
                None => Ok(run(this)),
            }
        }
    }

    /// The offset pairs of the last match, flattened; only those of groups that took part mean something.
    pub fn offsets(&self) -> &[usize] {
        // SAFETY: the vector has two entries for each pair, initialised by PCRE2 up to the groups it reports.
        unsafe {
            std::slice::from_raw_parts(
                raw::pcre2_get_ovector_pointer_8(self.data.as_ptr()),
                self.pairs * 2,
            )
        }
    }

    /// The name of the last `(*MARK)` that the last match passed. `code` is the pattern matched last.
    pub fn mark<'c>(&self, _code: &'c Code) -> Option<&'c [u8]> {
        // SAFETY: the match data is live.
        let mark = unsafe { raw::pcre2_get_mark_8(self.data.as_ptr()) };
        if mark.is_null() {
            return None;
        }
        // SAFETY: the name stands in the compiled pattern, after a code unit with its length, which is how names
        // with NUL inside are told apart; the borrow keeps the pattern alive.
        unsafe { Some(std::slice::from_raw_parts(mark, usize::from(*mark.sub(1)))) }
    }
}
