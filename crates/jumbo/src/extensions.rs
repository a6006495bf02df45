//! The extensions that this program has, in the order in which they start.
//!
//! An extension crate exports `pub static EXTENSION` once its descriptors are generated; one line here makes it part of Jumbo.
//! Several crates may carry parts of one PHP extension (`standard`): the registry merges equal names.

use jumbo_abi::Extension;

/// All of them. Classes of later ones may build on those of earlier ones.
pub static EXTENSIONS: &[&Extension] = &[
    &jumbo_ext_core::EXTENSION,
    &jumbo_interp::builtin::INTERP_CORE,
    &jumbo_ext_random::EXTENSION,
    &jumbo_ext_strings::EXTENSION,
    &jumbo_ext_arrays::EXTENSION,
    &jumbo_ext_misc::EXTENSION,
    &jumbo_ext_files::EXTENSION,
    &jumbo_ext_session::EXTENSION,
    &jumbo_ext_net::EXTENSION,
    &jumbo_ext_ctype::EXTENSION,
    &jumbo_ext_processes::EXTENSION,
    &jumbo_ext_pcre::EXTENSION,
    &jumbo_ext_filter::EXTENSION,
    &jumbo_ext_hash::EXTENSION,
    &jumbo_ext_mbstring::EXTENSION,
    &jumbo_ext_json::EXTENSION,
    &jumbo_ext_spl::EXTENSION,
    &jumbo_ext_mysqlnd::EXTENSION,
    &jumbo_ext_mysqli::EXTENSION,
    &jumbo_ext_date::EXTENSION,
    &jumbo_ext_pdo::EXTENSION,
    &jumbo_ext_sqlite3::EXTENSION,
    &jumbo_ext_pdo_sqlite::EXTENSION,
    &jumbo_ext_pdo_mysql::EXTENSION,
    &jumbo_ext_openssl::EXTENSION,
    &jumbo_ext_apcu::EXTENSION,
    &jumbo_ext_opcache::EXTENSION,
    &jumbo_ext_tokenizer::EXTENSION,
    &jumbo_ext_bcmath::EXTENSION,
    &jumbo_ext_calendar::EXTENSION,
    &jumbo_ext_posix::EXTENSION,
    &jumbo_ext_zlib::EXTENSION,
    &jumbo_ext_iconv::EXTENSION,
    &jumbo_ext_reflection::EXTENSION,
];
