//! The token stream of `token_get_all()`: every byte of the source belongs to one token.

use bumpalo::Bump;
use jumbo_base::Span;

use crate::lexer::{LexMode, Lexer};
use crate::parser::parse_with_names;
use crate::token::{Token, TokenKind};
use crate::{ParseOptions, SyntaxError};

/// The tokens of a file that is checked as a whole, as `token_get_all()` gives them with `TOKEN_PARSE`: keywords that serve
/// as names are identifiers.
pub fn tokenize_parsed(source: &[u8], short_tags: bool) -> Result<impl Iterator<Item = Token>, SyntaxError> {
    let arena = Bump::new();
    let (_, mut names) = parse_with_names(&arena, source, ParseOptions { short_tags, ..ParseOptions::default() })?;
    names.sort_unstable();
    let mut names = names.into_iter().peekable();
    Ok(tokenize(source, short_tags).map(move |mut token| {
        while names.next_if(|&name| name < token.span.start).is_some() {}
        if names.peek() == Some(&token.span.start) {
            token.kind = TokenKind::Ident;
        }
        token
    }))
}

/// All tokens of a file, white space and comments included. Nothing is an error: what PHP cannot read is `BadCharacter`, and
/// an unterminated comment or string extends to the end. `short_tags`: `<?` opens PHP code.
pub fn tokenize(source: &[u8], short_tags: bool) -> Tokens<'_> {
    let mut lexer = Lexer::new(source, LexMode::Tokenizer, false, 1);
    lexer.short_tags = short_tags;
    Tokens { lexer, source_end: source.len() as u32, token_end: 0, until_data: None, at_end: false }
}

/// What [`tokenize`] gives, read one by one: a list of them would be larger than most sources.
pub struct Tokens<'a> {
    lexer: Lexer<'a>,
    source_end: u32,
    /// Where the last token ended.
    token_end: u32,
    /// After `__halt_compiler` come three tokens that count, then data: how many of them are still to come.
    until_data: Option<u32>,
    at_end: bool,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        if self.at_end {
            return None;
        }
        if let Some(0) = self.until_data {
            self.at_end = true;
            let rest = Span::new(self.token_end, self.source_end);
            let line = self.lexer.line();
            return (rest.end > rest.start).then_some(Token { kind: TokenKind::InlineHtml, span: rest, line });
        }
        let token = self.lexer.next_token();
        self.token_end = token.span.end;
        match token.kind {
            TokenKind::End | TokenKind::Error => {
                self.at_end = true;
                return None;
            }
            TokenKind::HaltCompiler if self.until_data.is_none() => self.until_data = Some(3),
            TokenKind::Whitespace | TokenKind::Comment | TokenKind::DocComment | TokenKind::OpenTag => {}
            _ => self.until_data = self.until_data.map(|left| left - 1),
        }
        Some(token)
    }
}
