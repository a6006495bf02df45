//! How a builtin ends early, and PHP's error levels.

/// Why execution stops here. The exception object, exit status or message itself waits in the [`Cx`](crate::Cx).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An exception is pending: `catch` and `finally` see it.
    Thrown,
    /// `exit`: passes by `catch` and `finally`.
    Exit,
    /// A fatal error was reported: the request ends. Passes by `catch` and `finally`.
    Fatal,
}

impl Stop {
    /// What holds when `self` comes while `before` is on its way: nothing comes after a fatal error.
    #[must_use]
    pub fn after(self, before: Stop) -> Stop {
        if before == Stop::Fatal { before } else { self }
    }
}

/// What grows with its input and is refused memory ends the request; whoever ends it reports what the heap remembers.
impl From<jumbo_value::OutOfMemory> for Stop {
    fn from(_: jumbo_value::OutOfMemory) -> Stop {
        Stop::Fatal
    }
}

/// The result of everything that may run PHP code or fail as PHP does.
pub type Res<T> = Result<T, Stop>;

/// For builtins that go on in spite of an exception, as many of PHP's do: None where one is pending now. The builtin ends with
/// [`Cx::unless_thrown`](crate::Cx::unless_thrown).
pub fn despite<T>(done: Res<T>) -> Res<Option<T>> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(Stop::Thrown) => Ok(None),
        Err(stop) => Err(stop),
    }
}

/// Error levels, with PHP's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Level {
    Error = 1,
    Warning = 2,
    Parse = 4,
    Notice = 8,
    CoreError = 16,
    CoreWarning = 32,
    CompileError = 64,
    CompileWarning = 128,
    UserError = 256,
    UserWarning = 512,
    UserNotice = 1024,
    RecoverableError = 4096,
    Deprecated = 8192,
    UserDeprecated = 16384,
}

impl Level {
    pub const ALL: u32 = 30719;

    pub fn from_u32(n: u32) -> Option<Level> {
        use Level::*;
        [
            Error, Warning, Parse, Notice, CoreError, CoreWarning, CompileError, CompileWarning, UserError, UserWarning,
            UserNotice, RecoverableError, Deprecated, UserDeprecated,
        ]
        .into_iter()
        .find(|l| *l as u32 == n)
    }

    /// The word before the message: `Warning: …`.
    pub fn label(self) -> &'static str {
        use Level::*;
        match self {
            Error | CoreError | CompileError | UserError => "Fatal error",
            Warning | CoreWarning | CompileWarning | UserWarning => "Warning",
            Parse => "Parse error",
            Notice | UserNotice => "Notice",
            RecoverableError => "Recoverable fatal error",
            Deprecated | UserDeprecated => "Deprecated",
        }
    }

    /// Ends the request when nothing handles it.
    pub fn is_fatal(self) -> bool {
        use Level::*;
        matches!(self, Error | CoreError | CompileError | UserError | RecoverableError | Parse)
    }
}
