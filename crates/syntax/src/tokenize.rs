//! The token stream of `token_get_all()`: every byte of the source belongs to one token.

use bumpalo::Bump;
use jumbo_base::Span;

use crate::lexer::{LexMode, Lexer};
use crate::parser::parse_with_names;
use crate::token::{Token, TokenKind};
use crate::{ParseOptions, SyntaxError};

/// The tokens of a file that is checked as a whole, as `token_get_all()` gives them with `TOKEN_PARSE`: keywords that serve
/// as names are identifiers.
pub fn tokenize_parsed(source: &[u8], short_tags: bool) -> Result<Vec<Token>, SyntaxError> {
    let arena = Bump::new();
    let (_, names) = parse_with_names(&arena, source, ParseOptions { short_tags, ..ParseOptions::default() })?;
    let mut tokens = tokenize(source, short_tags);
    for offset in names {
        if let Ok(index) = tokens.binary_search_by_key(&offset, |token| token.span.start) {
            tokens[index].kind = TokenKind::Ident;
        }
    }
    Ok(tokens)
}

/// All tokens of a file, white space and comments included. Nothing is an error: what PHP cannot read is `BadCharacter`, and
/// an unterminated comment or string extends to the end. `short_tags`: `<?` opens PHP code.
pub fn tokenize(source: &[u8], short_tags: bool) -> Vec<Token> {
    let mut lexer = Lexer::new(source, LexMode::Tokenizer, false, 1);
    lexer.short_tags = short_tags;
    let mut tokens = Vec::with_capacity(source.len() / 4);
    // After `__halt_compiler` come three tokens that count, then data.
    let mut until_data: Option<u32> = None;
    loop {
        let token = lexer.next_token();
        if matches!(token.kind, TokenKind::End | TokenKind::Error) {
            return tokens;
        }
        tokens.push(token);
        match token.kind {
            TokenKind::HaltCompiler if until_data.is_none() => until_data = Some(3),
            TokenKind::Whitespace | TokenKind::Comment | TokenKind::DocComment | TokenKind::OpenTag => {}
            _ => {
                let Some(left) = until_data.as_mut() else { continue };
                *left -= 1;
                if *left > 0 {
                    continue;
                }
                let rest = Span::new(token.span.end, source.len() as u32);
                if rest.end > rest.start {
                    tokens.push(Token { kind: TokenKind::InlineHtml, span: rest, line: lexer.line() });
                }
                return tokens;
            }
        }
    }
}
