//! The kinds of tokens, with PHP's `T_` names and the words that PHP's error messages use for them.
//!
//! The order matters: keywords that may serve as member names stand in one block, so that the test is two compares.

use jumbo_base::Span;

/// How an error message shows a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// `token "if"`
    Token,
    /// `variable "$x"`: the words, then the source text.
    Value,
    /// `end of file`: the words alone.
    Words,
}

macro_rules! tokens {
    ($($kind:ident $name:literal $show:ident $text:literal;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum TokenKind { $($kind,)* }

        impl TokenKind {
            /// All kinds, in their order.
            pub const ALL: &'static [TokenKind] = &[$(TokenKind::$kind,)*];

            /// PHP's name of the token; for single characters the character itself.
            pub fn name(self) -> &'static str {
                const NAMES: &[&str] = &[$($name,)*];
                NAMES[self as usize]
            }

            /// The words for it in an error message.
            pub fn text(self) -> &'static str {
                const TEXTS: &[&str] = &[$($text,)*];
                TEXTS[self as usize]
            }

            pub fn show(self) -> Show {
                const SHOWS: &[Show] = &[$(Show::$show,)*];
                SHOWS[self as usize]
            }
        }
    };
}

tokens! {
    End "END" Words "end of file";
    // A failure of the lexer, which keeps the error itself.
    Error "ERROR" Words "error";

    // Keywords allowed as names of members, labels of arguments and so on ("semi-reserved").
    Include "T_INCLUDE" Token "include";
    IncludeOnce "T_INCLUDE_ONCE" Token "include_once";
    Eval "T_EVAL" Token "eval";
    Require "T_REQUIRE" Token "require";
    RequireOnce "T_REQUIRE_ONCE" Token "require_once";
    LogicalOr "T_LOGICAL_OR" Token "or";
    LogicalXor "T_LOGICAL_XOR" Token "xor";
    LogicalAnd "T_LOGICAL_AND" Token "and";
    Instanceof "T_INSTANCEOF" Token "instanceof";
    New "T_NEW" Token "new";
    Clone "T_CLONE" Token "clone";
    Exit "T_EXIT" Token "exit";
    If "T_IF" Token "if";
    Elseif "T_ELSEIF" Token "elseif";
    Else "T_ELSE" Token "else";
    Endif "T_ENDIF" Token "endif";
    Echo "T_ECHO" Token "echo";
    Do "T_DO" Token "do";
    While "T_WHILE" Token "while";
    Endwhile "T_ENDWHILE" Token "endwhile";
    For "T_FOR" Token "for";
    Endfor "T_ENDFOR" Token "endfor";
    Foreach "T_FOREACH" Token "foreach";
    Endforeach "T_ENDFOREACH" Token "endforeach";
    Declare "T_DECLARE" Token "declare";
    Enddeclare "T_ENDDECLARE" Token "enddeclare";
    As "T_AS" Token "as";
    Try "T_TRY" Token "try";
    Catch "T_CATCH" Token "catch";
    Finally "T_FINALLY" Token "finally";
    Throw "T_THROW" Token "throw";
    Use "T_USE" Token "use";
    Insteadof "T_INSTEADOF" Token "insteadof";
    Global "T_GLOBAL" Token "global";
    Var "T_VAR" Token "var";
    Unset "T_UNSET" Token "unset";
    Isset "T_ISSET" Token "isset";
    Empty "T_EMPTY" Token "empty";
    Continue "T_CONTINUE" Token "continue";
    Goto "T_GOTO" Token "goto";
    Function "T_FUNCTION" Token "function";
    Fn "T_FN" Token "fn";
    Match "T_MATCH" Token "match";
    Enum "T_ENUM" Token "enum";
    Const "T_CONST" Token "const";
    Return "T_RETURN" Token "return";
    Print "T_PRINT" Token "print";
    Yield "T_YIELD" Token "yield";
    List "T_LIST" Token "list";
    Switch "T_SWITCH" Token "switch";
    Endswitch "T_ENDSWITCH" Token "endswitch";
    Case "T_CASE" Token "case";
    Default "T_DEFAULT" Token "default";
    Break "T_BREAK" Token "break";
    Array "T_ARRAY" Token "array";
    Callable "T_CALLABLE" Token "callable";
    Extends "T_EXTENDS" Token "extends";
    Implements "T_IMPLEMENTS" Token "implements";
    Namespace "T_NAMESPACE" Token "namespace";
    Trait "T_TRAIT" Token "trait";
    Interface "T_INTERFACE" Token "interface";
    Class "T_CLASS" Token "class";
    MagicClass "T_CLASS_C" Token "__CLASS__";
    MagicTrait "T_TRAIT_C" Token "__TRAIT__";
    MagicFunction "T_FUNC_C" Token "__FUNCTION__";
    MagicMethod "T_METHOD_C" Token "__METHOD__";
    MagicProperty "T_PROPERTY_C" Token "__PROPERTY__";
    MagicLine "T_LINE" Token "__LINE__";
    MagicFile "T_FILE" Token "__FILE__";
    MagicDir "T_DIR" Token "__DIR__";
    MagicNamespace "T_NS_C" Token "__NAMESPACE__";
    // The modifiers among them.
    Abstract "T_ABSTRACT" Token "abstract";
    Final "T_FINAL" Token "final";
    Private "T_PRIVATE" Token "private";
    Protected "T_PROTECTED" Token "protected";
    Public "T_PUBLIC" Token "public";
    Readonly "T_READONLY" Token "readonly";
    Static "T_STATIC" Token "static";
    // End of the semi-reserved block.
    PrivateSet "T_PRIVATE_SET" Token "private(set)";
    ProtectedSet "T_PROTECTED_SET" Token "protected(set)";
    PublicSet "T_PUBLIC_SET" Token "public(set)";
    HaltCompiler "T_HALT_COMPILER" Token "__halt_compiler";
    YieldFrom "T_YIELD_FROM" Token "yield from";

    Ident "T_STRING" Value "identifier";
    NameFq "T_NAME_FULLY_QUALIFIED" Value "fully qualified name";
    NameRelative "T_NAME_RELATIVE" Value "namespace-relative name";
    NameQualified "T_NAME_QUALIFIED" Value "namespaced name";
    Variable "T_VARIABLE" Value "variable";
    LNumber "T_LNUMBER" Value "integer";
    DNumber "T_DNUMBER" Value "floating-point number";
    InlineHtml "T_INLINE_HTML" Value "T_INLINE_HTML";
    Encapsed "T_ENCAPSED_AND_WHITESPACE" Value "string content";
    ConstString "T_CONSTANT_ENCAPSED_STRING" Value "quoted string";
    StringVarname "T_STRING_VARNAME" Value "variable name";
    NumString "T_NUM_STRING" Value "number";
    StartHeredoc "T_START_HEREDOC" Value "heredoc start";
    EndHeredoc "T_END_HEREDOC" Value "heredoc end";

    PlusEqual "T_PLUS_EQUAL" Token "+=";
    MinusEqual "T_MINUS_EQUAL" Token "-=";
    MulEqual "T_MUL_EQUAL" Token "*=";
    DivEqual "T_DIV_EQUAL" Token "/=";
    ConcatEqual "T_CONCAT_EQUAL" Token ".=";
    ModEqual "T_MOD_EQUAL" Token "%=";
    AndEqual "T_AND_EQUAL" Token "&=";
    OrEqual "T_OR_EQUAL" Token "|=";
    XorEqual "T_XOR_EQUAL" Token "^=";
    SlEqual "T_SL_EQUAL" Token "<<=";
    SrEqual "T_SR_EQUAL" Token ">>=";
    PowEqual "T_POW_EQUAL" Token "**=";
    CoalesceEqual "T_COALESCE_EQUAL" Token "??=";
    BooleanOr "T_BOOLEAN_OR" Token "||";
    BooleanAnd "T_BOOLEAN_AND" Token "&&";
    IsEqual "T_IS_EQUAL" Token "==";
    IsNotEqual "T_IS_NOT_EQUAL" Token "!=";
    IsIdentical "T_IS_IDENTICAL" Token "===";
    IsNotIdentical "T_IS_NOT_IDENTICAL" Token "!==";
    IsSmallerOrEqual "T_IS_SMALLER_OR_EQUAL" Token "<=";
    IsGreaterOrEqual "T_IS_GREATER_OR_EQUAL" Token ">=";
    Spaceship "T_SPACESHIP" Token "<=>";
    Sl "T_SL" Token "<<";
    Sr "T_SR" Token ">>";
    Inc "T_INC" Token "++";
    Dec "T_DEC" Token "--";
    Pow "T_POW" Token "**";
    Coalesce "T_COALESCE" Token "??";
    IntCast "T_INT_CAST" Token "(int)";
    DoubleCast "T_DOUBLE_CAST" Token "(double)";
    StringCast "T_STRING_CAST" Token "(string)";
    ArrayCast "T_ARRAY_CAST" Token "(array)";
    ObjectCast "T_OBJECT_CAST" Token "(object)";
    BoolCast "T_BOOL_CAST" Token "(bool)";
    UnsetCast "T_UNSET_CAST" Token "(unset)";
    ObjectOperator "T_OBJECT_OPERATOR" Token "->";
    NullsafeObjectOperator "T_NULLSAFE_OBJECT_OPERATOR" Token "?->";
    DoubleArrow "T_DOUBLE_ARROW" Token "=>";
    PaamayimNekudotayim "T_DOUBLE_COLON" Token "::";
    NsSeparator "T_NS_SEPARATOR" Token "\\";
    Ellipsis "T_ELLIPSIS" Token "...";
    Attribute "T_ATTRIBUTE" Token "#[";
    DollarOpenCurly "T_DOLLAR_OPEN_CURLY_BRACES" Token "${";
    CurlyOpen "T_CURLY_OPEN" Token "{$";
    AmpVar "T_AMPERSAND_FOLLOWED_BY_VAR_OR_VARARG" Token "&";
    Amp "T_AMPERSAND_NOT_FOLLOWED_BY_VAR_OR_VARARG" Token "&";

    Semicolon ";" Token ";";
    Colon ":" Token ":";
    Comma "," Token ",";
    Dot "." Token ".";
    OpenBracket "[" Token "[";
    CloseBracket "]" Token "]";
    OpenParen "(" Token "(";
    CloseParen ")" Token ")";
    OpenBrace "{" Token "{";
    CloseBrace "}" Token "}";
    Pipe "|" Token "|";
    Caret "^" Token "^";
    Plus "+" Token "+";
    Minus "-" Token "-";
    Star "*" Token "*";
    Slash "/" Token "/";
    Percent "%" Token "%";
    Assign "=" Token "=";
    Not "!" Token "!";
    Tilde "~" Token "~";
    Less "<" Token "<";
    Greater ">" Token ">";
    Question "?" Token "?";
    At "@" Token "@";
    Dollar "$" Token "$";
    DoubleQuote "\"" Words "double-quote mark";
    Backquote "`" Token "`";
    // Only inside `"$a[...]"`, where PHP's lexer hands out every character.
    Ampersand "&" Token "&";

    // Only in the mode that keeps everything, for ext/tokenizer.
    OpenTag "T_OPEN_TAG" Words "open tag";
    OpenTagWithEcho "T_OPEN_TAG_WITH_ECHO" Token "<?=";
    CloseTag "T_CLOSE_TAG" Token "?>";
    Whitespace "T_WHITESPACE" Words "whitespace";
    Comment "T_COMMENT" Words "comment";
    DocComment "T_DOC_COMMENT" Words "doc comment";
    BadCharacter "T_BAD_CHARACTER" Words "invalid character";
}

impl TokenKind {
    /// May it be the name of a member, an argument or a class constant, besides a plain identifier?
    #[inline(always)]
    pub fn is_semi_reserved(self) -> bool {
        (self as u8).wrapping_sub(TokenKind::Include as u8) <= TokenKind::Static as u8 - TokenKind::Include as u8
    }

    /// PHP's `reserved_non_modifiers`.
    #[inline]
    pub fn is_reserved_non_modifier(self) -> bool {
        self.is_semi_reserved() && (self as u8) < TokenKind::Abstract as u8
    }

    /// PHP's `identifier`.
    #[inline(always)]
    pub fn is_identifier(self) -> bool {
        self == TokenKind::Ident || self.is_semi_reserved()
    }
}

/// One token: its kind, where it is, and the line on which it starts.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
    pub line: u32,
}

// ---------------------------------------------------------------------------------------------------------------------
// Keywords

const KEYWORDS: &[(&[u8], TokenKind)] = {
    use TokenKind::*;
    &[
        (b"abstract", Abstract),
        (b"and", LogicalAnd),
        (b"array", Array),
        (b"as", As),
        (b"break", Break),
        (b"callable", Callable),
        (b"case", Case),
        (b"catch", Catch),
        (b"class", Class),
        (b"clone", Clone),
        (b"const", Const),
        (b"continue", Continue),
        (b"declare", Declare),
        (b"default", Default),
        (b"die", Exit),
        (b"do", Do),
        (b"echo", Echo),
        (b"else", Else),
        (b"elseif", Elseif),
        (b"empty", Empty),
        (b"enddeclare", Enddeclare),
        (b"endfor", Endfor),
        (b"endforeach", Endforeach),
        (b"endif", Endif),
        (b"endswitch", Endswitch),
        (b"endwhile", Endwhile),
        (b"enum", Enum),
        (b"eval", Eval),
        (b"exit", Exit),
        (b"extends", Extends),
        (b"final", Final),
        (b"finally", Finally),
        (b"fn", Fn),
        (b"for", For),
        (b"foreach", Foreach),
        (b"function", Function),
        (b"global", Global),
        (b"goto", Goto),
        (b"if", If),
        (b"implements", Implements),
        (b"include", Include),
        (b"include_once", IncludeOnce),
        (b"instanceof", Instanceof),
        (b"insteadof", Insteadof),
        (b"interface", Interface),
        (b"isset", Isset),
        (b"list", List),
        (b"match", Match),
        (b"namespace", Namespace),
        (b"new", New),
        (b"or", LogicalOr),
        (b"print", Print),
        (b"private", Private),
        (b"protected", Protected),
        (b"public", Public),
        (b"readonly", Readonly),
        (b"require", Require),
        (b"require_once", RequireOnce),
        (b"return", Return),
        (b"static", Static),
        (b"switch", Switch),
        (b"throw", Throw),
        (b"trait", Trait),
        (b"try", Try),
        (b"unset", Unset),
        (b"use", Use),
        (b"var", Var),
        (b"while", While),
        (b"xor", LogicalXor),
        (b"yield", Yield),
        (b"__class__", MagicClass),
        (b"__dir__", MagicDir),
        (b"__file__", MagicFile),
        (b"__function__", MagicFunction),
        (b"__halt_compiler", HaltCompiler),
        (b"__line__", MagicLine),
        (b"__method__", MagicMethod),
        (b"__namespace__", MagicNamespace),
        (b"__property__", MagicProperty),
        (b"__trait__", MagicTrait),
    ]
};

const SLOTS: usize = 512;
/// 0 is an empty slot, otherwise the index into `KEYWORDS` plus one. Open addressing, filled at compile time.
static KEYWORD_SLOTS: [u8; SLOTS] = {
    let mut slots = [0u8; SLOTS];
    let mut i = 0;
    while i < KEYWORDS.len() {
        let word = KEYWORDS[i].0;
        let mut slot = keyword_hash(word[0], word[1], word[word.len() - 1], word.len());
        while slots[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        slots[slot] = i as u8 + 1;
        i += 1;
    }
    slots
};

const fn keyword_hash(first: u8, second: u8, last: u8, len: usize) -> usize {
    let h = (first | 0x20) as usize * 7 + (second | 0x20) as usize * 31 + (last | 0x20) as usize * 113 + len * 57;
    (h ^ (h >> 7)) % SLOTS
}

/// The keyword that `word` is, in any case.
#[inline]
pub fn keyword(word: &[u8]) -> Option<TokenKind> {
    let (&first, &last) = (word.first()?, word.last()?);
    let &second = word.get(1)?;
    if word.len() > 15 {
        return None;
    }
    let mut slot = keyword_hash(first, second, last, word.len());
    loop {
        match KEYWORD_SLOTS[slot] {
            0 => return None,
            i => {
                let (text, kind) = KEYWORDS[i as usize - 1];
                if word.eq_ignore_ascii_case(text) {
                    return Some(kind);
                }
            }
        }
        slot = (slot + 1) % SLOTS;
    }
}
