//! preg_quote.

use jumbo_value::{OutOfMemory, PStrBuilder};

/// Whether PHP puts a backslash before `byte`.
fn is_special(byte: u8) -> bool {
    matches!(
        byte,
        b'.' | b'\\'
            | b'+'
            | b'*'
            | b'?'
            | b'['
            | b'^'
            | b']'
            | b'$'
            | b'('
            | b')'
            | b'{'
            | b'}'
            | b'='
            | b'!'
            | b'>'
            | b'<'
            | b'|'
            | b':'
            | b'-'
            | b'#'
    )
}

/// `subject` with everything escaped that means something in a pattern, and `delimiter`. `None` when nothing had to
/// be: the caller then returns its own string.
pub fn quote(subject: &[u8], delimiter: Option<u8>) -> Result<Option<PStrBuilder>, OutOfMemory> {
    let needs = |byte: u8| is_special(byte) || byte == 0 || Some(byte) == delimiter;
    let Some(first) = subject.iter().position(|&byte| needs(byte)) else { return Ok(None) };
    let mut quoted = PStrBuilder::with_capacity(subject.len() + 8)?;
    quoted.extend(&subject[..first])?;
    for &byte in &subject[first..] {
        if byte == 0 {
            quoted.extend(b"\\000")?;
        } else {
            if needs(byte) {
                quoted.push(b'\\')?;
            }
            quoted.push(byte)?;
        }
    }
    Ok(Some(quoted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_as_php() {
        assert!(quote(b"abc_/ ", None).unwrap().is_none());
        assert_eq!(
            quote(b"a.b\0#/&", Some(b'/')).unwrap().unwrap().as_bytes(),
            b"a\\.b\\000\\#\\/&"
        );
        assert_eq!(quote(b".\\+*?[^]$(){}=!<>|:-#", None).unwrap().unwrap().len(), 42);
    }
}
