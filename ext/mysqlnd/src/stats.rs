//! Counters of what the client does (`mysqli_get_client_stats`, `mysqli_get_connection_stats`), under mysqlnd's names.
//!
//! Each connection counts for itself and for the instance that uses it. Memory is not counted here: its counters stay 0.

use std::cell::Cell;
use std::rc::Rc;

/// All counters, in the order in which PHP lists them.
pub const NAMES: &[&str] = &[
    "bytes_sent", "bytes_received", "packets_sent", "packets_received", "protocol_overhead_in", "protocol_overhead_out",
    "bytes_received_ok_packet", "bytes_received_eof_packet", "bytes_received_rset_header_packet",
    "bytes_received_rset_field_meta_packet", "bytes_received_rset_row_packet", "bytes_received_prepare_response_packet",
    "bytes_received_change_user_packet", "packets_sent_command", "packets_received_ok", "packets_received_eof",
    "packets_received_rset_header", "packets_received_rset_field_meta", "packets_received_rset_row", "packets_received_prepare_response",
    "packets_received_change_user", "result_set_queries", "non_result_set_queries", "no_index_used", "bad_index_used", "slow_queries",
    "buffered_sets", "unbuffered_sets", "ps_buffered_sets", "ps_unbuffered_sets", "flushed_normal_sets", "flushed_ps_sets",
    "ps_prepared_never_executed", "ps_prepared_once_executed", "rows_fetched_from_server_normal", "rows_fetched_from_server_ps",
    "rows_buffered_from_client_normal", "rows_buffered_from_client_ps", "rows_fetched_from_client_normal_buffered",
    "rows_fetched_from_client_normal_unbuffered", "rows_fetched_from_client_ps_buffered", "rows_fetched_from_client_ps_unbuffered",
    "rows_fetched_from_client_ps_cursor", "rows_affected_normal", "rows_affected_ps", "rows_skipped_normal", "rows_skipped_ps",
    "copy_on_write_saved", "copy_on_write_performed", "command_buffer_too_small", "connect_success", "connect_failure",
    "connection_reused", "reconnect", "pconnect_success", "active_connections", "active_persistent_connections", "explicit_close",
    "implicit_close", "disconnect_close", "in_middle_of_command_close", "explicit_free_result", "implicit_free_result",
    "explicit_stmt_close", "implicit_stmt_close", "mem_emalloc_count", "mem_emalloc_amount", "mem_ecalloc_count", "mem_ecalloc_amount",
    "mem_erealloc_count", "mem_erealloc_amount", "mem_efree_count", "mem_efree_amount", "mem_malloc_count", "mem_malloc_amount",
    "mem_calloc_count", "mem_calloc_amount", "mem_realloc_count", "mem_realloc_amount", "mem_free_count", "mem_free_amount",
    "mem_estrndup_count", "mem_strndup_count", "mem_estrdup_count", "mem_strdup_count", "mem_edupl_count", "mem_dupl_count",
    "proto_text_fetched_null", "proto_text_fetched_bit", "proto_text_fetched_tinyint", "proto_text_fetched_short",
    "proto_text_fetched_int24", "proto_text_fetched_int", "proto_text_fetched_bigint", "proto_text_fetched_decimal",
    "proto_text_fetched_float", "proto_text_fetched_double", "proto_text_fetched_date", "proto_text_fetched_year",
    "proto_text_fetched_time", "proto_text_fetched_datetime", "proto_text_fetched_timestamp", "proto_text_fetched_string",
    "proto_text_fetched_blob", "proto_text_fetched_enum", "proto_text_fetched_set", "proto_text_fetched_geometry",
    "proto_text_fetched_other", "proto_binary_fetched_null", "proto_binary_fetched_bit", "proto_binary_fetched_tinyint",
    "proto_binary_fetched_short", "proto_binary_fetched_int24", "proto_binary_fetched_int", "proto_binary_fetched_bigint",
    "proto_binary_fetched_decimal", "proto_binary_fetched_float", "proto_binary_fetched_double", "proto_binary_fetched_date",
    "proto_binary_fetched_year", "proto_binary_fetched_time", "proto_binary_fetched_datetime", "proto_binary_fetched_timestamp",
    "proto_binary_fetched_string", "proto_binary_fetched_json", "proto_binary_fetched_blob", "proto_binary_fetched_enum",
    "proto_binary_fetched_set", "proto_binary_fetched_geometry", "proto_binary_fetched_other", "init_command_executed_count",
    "init_command_failed_count", "com_quit", "com_init_db", "com_query", "com_field_list", "com_create_db", "com_drop_db", "com_refresh",
    "com_shutdown", "com_statistics", "com_process_info", "com_connect", "com_process_kill", "com_debug", "com_ping", "com_time",
    "com_delayed_insert", "com_change_user", "com_binlog_dump", "com_table_dump", "com_connect_out", "com_register_slave",
    "com_stmt_prepare", "com_stmt_execute", "com_stmt_send_long_data", "com_stmt_close", "com_stmt_reset", "com_stmt_set_option",
    "com_stmt_fetch", "com_deamon", "bytes_received_real_data_normal", "bytes_received_real_data_ps",
];

/// One set of counters.
pub struct Counters(Box<[Cell<u64>]>);

impl Default for Counters {
    fn default() -> Counters {
        Counters(NAMES.iter().map(|_| Cell::new(0)).collect())
    }
}

/// Places of the table of names: enough that most names stand where their hash says.
const PLACES: usize = 1024;
const NOBODY: u8 = u8::MAX;

/// Where names stand in [`NAMES`], by their hash, the next free place after it. Several counters count each row.
static BY_HASH: [u8; PLACES] = places();

const fn hash(name: &[u8]) -> usize {
    let mut hash = 0x811c_9dc5_u32;
    let mut at = 0;
    while at < name.len() {
        hash = (hash ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ hash >> 15) as usize % PLACES
}

const fn places() -> [u8; PLACES] {
    assert!(NAMES.len() < NOBODY as usize);
    let mut table = [NOBODY; PLACES];
    let mut n = 0;
    while n < NAMES.len() {
        let mut at = hash(NAMES[n].as_bytes());
        while table[at] != NOBODY {
            at = (at + 1) % PLACES;
        }
        table[at] = n as u8;
        n += 1;
    }
    table
}

/// The number of a counter.
pub fn number(name: &str) -> usize {
    let mut at = hash(name.as_bytes());
    while let Some(known) = NAMES.get(usize::from(BY_HASH[at])) {
        if *known == name {
            return usize::from(BY_HASH[at]);
        }
        at = (at + 1) % PLACES;
    }
    debug_assert!(false, "no counter {name}");
    NAMES.len()
}

impl Counters {
    fn add(&self, number: usize, n: u64) {
        if let Some(cell) = self.0.get(number) {
            cell.set(cell.get().wrapping_add(n));
        }
    }
    pub fn all(&self) -> impl Iterator<Item = (&'static str, u64)> {
        NAMES.iter().zip(self.0.iter()).map(|(name, cell)| (*name, cell.get()))
    }
}

/// The instance's counters.
#[derive(Clone, Default)]
pub struct ClientStatistics(pub Rc<Counters>);

/// A connection's counters, and those of the instance that uses it.
pub struct Statistics {
    own: Counters,
    client: Rc<Counters>,
    pub collect: Cell<bool>,
}

impl Statistics {
    pub fn new(client: Rc<Counters>, collect: bool) -> Statistics {
        Statistics { own: Counters::default(), client, collect: Cell::new(collect) }
    }
    pub fn add(&self, name: &str, n: u64) {
        if self.collect.get() {
            self.add_to(number(name), n);
        }
    }
    /// Of a counter by its number.
    pub fn add_to(&self, number: usize, n: u64) {
        self.own.add(number, n);
        self.client.add(number, n);
    }
    pub fn one(&self, name: &str) {
        self.add(name, 1);
    }
    /// Counts one down (what is open now).
    pub fn less(&self, name: &str) {
        self.add(name, u64::MAX);
    }
    pub fn own(&self) -> &Counters {
        &self.own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_numbers() {
        assert!(NAMES.iter().enumerate().all(|(n, name)| number(name) == n));
    }

    #[test]
    fn both_count() {
        let client = ClientStatistics::default();
        let statistics = Statistics::new(client.0.clone(), true);
        statistics.one("com_query");
        statistics.one("active_connections");
        statistics.less("active_connections");
        let value = |counters: &Counters, name| counters.all().find(|(n, _)| *n == name).map(|(_, v)| v);
        assert_eq!(value(&client.0, "com_query"), Some(1));
        assert_eq!(value(statistics.own(), "active_connections"), Some(0));
        statistics.collect.set(false);
        statistics.one("com_query");
        assert_eq!(value(statistics.own(), "com_query"), Some(1));
    }
}
