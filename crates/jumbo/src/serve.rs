//! `jumbo serve` and `-S`: the application server.

use crate::cli::complain;
use crate::options::Options;

/// `jumbo serve`.
pub fn run(_arguments: &[Vec<u8>]) -> i32 {
    complain("the server is not part of this build yet")
}

/// `-S`.
pub fn development(_options: &Options, _address: &[u8]) -> i32 {
    complain("the server is not part of this build yet")
}
