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
    Tokens { lexer, source_end: source.len() as u32, place: Place::Code }
}

/// What [`tokenize`] gives, read one by one: a list of them would be larger than most sources.
pub struct Tokens<'a> {
    lexer: Lexer<'a>,
    source_end: u32,
    place: Place,
}

enum Place {
    Code,
    /// After `__halt_compiler` come three tokens that count, then data: so many of them are still to come.
    Halting(u32),
    /// The data that begins here is next.
    Data(u32),
    End,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        if !matches!(self.place, Place::Code) {
            return self.after_halt();
        }
        let token = self.lexer.next_token();
        match token.kind {
            TokenKind::End | TokenKind::Error => {
                self.place = Place::End;
                return None;
            }
            TokenKind::HaltCompiler => self.place = Place::Halting(3),
            _ => {}
        }
        Some(token)
    }
}

impl Tokens<'_> {
    #[cold]
    fn after_halt(&mut self) -> Option<Token> {
        let left = match self.place {
            Place::Data(start) => {
                self.place = Place::End;
                let span = Span::new(start, self.source_end);
                return (span.end > span.start).then_some(Token { kind: TokenKind::InlineHtml, span, line: self.lexer.line() });
            }
            Place::Halting(left) => left,
            Place::Code | Place::End => return None,
        };
        let token = self.lexer.next_token();
        match token.kind {
            TokenKind::End | TokenKind::Error => {
                self.place = Place::End;
                return None;
            }
            TokenKind::Whitespace | TokenKind::Comment | TokenKind::DocComment | TokenKind::OpenTag => {}
            _ if left == 1 => self.place = Place::Data(token.span.end),
            _ => self.place = Place::Halting(left - 1),
        }
        Some(token)
    }
}
