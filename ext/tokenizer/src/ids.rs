//! The numbers of tokens, which PHP numbers in the order of its grammar: programs keep them in files.

use jumbo_syntax::TokenKind;
use std::sync::OnceLock;

/// The number of the first name; those below are single bytes.
const FIRST: i64 = 260;

/// The names of the tokens, from number [`FIRST`] on; the stub declares the same as constants.
const NAMES: [&str; 150] = [
    "T_LNUMBER", "T_DNUMBER", "T_STRING", "T_NAME_FULLY_QUALIFIED", "T_NAME_RELATIVE", "T_NAME_QUALIFIED",
    "T_VARIABLE", "T_INLINE_HTML", "T_ENCAPSED_AND_WHITESPACE", "T_CONSTANT_ENCAPSED_STRING", "T_STRING_VARNAME",
    "T_NUM_STRING", "T_INCLUDE", "T_INCLUDE_ONCE", "T_EVAL", "T_REQUIRE", "T_REQUIRE_ONCE", "T_LOGICAL_OR",
    "T_LOGICAL_XOR", "T_LOGICAL_AND", "T_PRINT", "T_YIELD", "T_YIELD_FROM", "T_INSTANCEOF", "T_NEW", "T_CLONE",
    "T_EXIT", "T_IF", "T_ELSEIF", "T_ELSE", "T_ENDIF", "T_ECHO", "T_DO", "T_WHILE", "T_ENDWHILE", "T_FOR", "T_ENDFOR",
    "T_FOREACH", "T_ENDFOREACH", "T_DECLARE", "T_ENDDECLARE", "T_AS", "T_SWITCH", "T_ENDSWITCH", "T_CASE",
    "T_DEFAULT", "T_MATCH", "T_BREAK", "T_CONTINUE", "T_GOTO", "T_FUNCTION", "T_FN", "T_CONST", "T_RETURN", "T_TRY",
    "T_CATCH", "T_FINALLY", "T_THROW", "T_USE", "T_INSTEADOF", "T_GLOBAL", "T_STATIC", "T_ABSTRACT", "T_FINAL",
    "T_PRIVATE", "T_PROTECTED", "T_PUBLIC", "T_PRIVATE_SET", "T_PROTECTED_SET", "T_PUBLIC_SET", "T_READONLY", "T_VAR",
    "T_UNSET", "T_ISSET", "T_EMPTY", "T_HALT_COMPILER", "T_CLASS", "T_TRAIT", "T_INTERFACE", "T_ENUM", "T_EXTENDS",
    "T_IMPLEMENTS", "T_NAMESPACE", "T_LIST", "T_ARRAY", "T_CALLABLE", "T_LINE", "T_FILE", "T_DIR", "T_CLASS_C",
    "T_TRAIT_C", "T_METHOD_C", "T_FUNC_C", "T_PROPERTY_C", "T_NS_C", "T_ATTRIBUTE", "T_PLUS_EQUAL", "T_MINUS_EQUAL",
    "T_MUL_EQUAL", "T_DIV_EQUAL", "T_CONCAT_EQUAL", "T_MOD_EQUAL", "T_AND_EQUAL", "T_OR_EQUAL", "T_XOR_EQUAL",
    "T_SL_EQUAL", "T_SR_EQUAL", "T_COALESCE_EQUAL", "T_BOOLEAN_OR", "T_BOOLEAN_AND", "T_IS_EQUAL", "T_IS_NOT_EQUAL",
    "T_IS_IDENTICAL", "T_IS_NOT_IDENTICAL", "T_IS_SMALLER_OR_EQUAL", "T_IS_GREATER_OR_EQUAL", "T_SPACESHIP", "T_SL",
    "T_SR", "T_INC", "T_DEC", "T_INT_CAST", "T_DOUBLE_CAST", "T_STRING_CAST", "T_ARRAY_CAST", "T_OBJECT_CAST",
    "T_BOOL_CAST", "T_UNSET_CAST", "T_OBJECT_OPERATOR", "T_NULLSAFE_OBJECT_OPERATOR", "T_DOUBLE_ARROW", "T_COMMENT",
    "T_DOC_COMMENT", "T_OPEN_TAG", "T_OPEN_TAG_WITH_ECHO", "T_CLOSE_TAG", "T_WHITESPACE", "T_START_HEREDOC",
    "T_END_HEREDOC", "T_DOLLAR_OPEN_CURLY_BRACES", "T_CURLY_OPEN", "T_PAAMAYIM_NEKUDOTAYIM", "T_NS_SEPARATOR",
    "T_ELLIPSIS", "T_COALESCE", "T_POW", "T_POW_EQUAL", "T_AMPERSAND_FOLLOWED_BY_VAR_OR_VARARG",
    "T_AMPERSAND_NOT_FOLLOWED_BY_VAR_OR_VARARG", "T_BAD_CHARACTER",
];

/// `T_WHITESPACE` for its number.
pub fn name(id: i64) -> Option<&'static str> {
    match usize::try_from(id.checked_sub(FIRST)?).ok().and_then(|n| NAMES.get(n)).copied() {
        // The name under which it is documented.
        Some("T_PAAMAYIM_NEKUDOTAYIM") => Some("T_DOUBLE_COLON"),
        name => name,
    }
}

/// The number of a kind: the byte itself for single characters.
pub fn of(kind: TokenKind) -> i64 {
    static TABLE: OnceLock<[i64; 256]> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = [0; 256];
        for kind in TokenKind::ALL {
            let number = match (FIRST..).zip(NAMES).find(|(id, _)| name(*id) == Some(kind.name())) {
                Some((id, _)) => id,
                None => kind.name().bytes().next().map_or(0, i64::from),
            };
            table[*kind as usize] = number;
        }
        table
    });
    table[kind as usize]
}
