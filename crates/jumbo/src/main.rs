//! The command line of Jumbo.
fn main() {}
