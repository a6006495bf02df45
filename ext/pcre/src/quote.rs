//! preg_quote.

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
pub fn quote(subject: &[u8], delimiter: Option<u8>) -> Option<Vec<u8>> {
    let needs = |byte: u8| is_special(byte) || byte == 0 || Some(byte) == delimiter;
    let first = subject.iter().position(|&byte| needs(byte))?;
    let mut quoted = Vec::with_capacity(subject.len() + 8);
    quoted.extend_from_slice(&subject[..first]);
    for &byte in &subject[first..] {
        if byte == 0 {
            quoted.extend_from_slice(b"\\000");
        } else {
            if needs(byte) {
                quoted.push(b'\\');
            }
            quoted.push(byte);
        }
    }
    Some(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_as_php() {
        assert_eq!(quote(b"abc_/ ", None), None);
        assert_eq!(
            quote(b"a.b\0#/&", Some(b'/')).unwrap(),
            b"a\\.b\\000\\#\\/&"
        );
        assert_eq!(quote(b".\\+*?[^]$(){}=!<>|:-#", None).unwrap().len(), 42);
    }
}
