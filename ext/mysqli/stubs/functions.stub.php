<?php

/**
 * @rust crate::mysqli::affected_rows
 */
function mysqli_affected_rows(mysqli $mysql): string|int {}

/**
 * @rust crate::mysqli::autocommit
 */
function mysqli_autocommit(mysqli $mysql, bool $enable): bool {}

/**
 * @rust crate::mysqli::begin_transaction
 */
function mysqli_begin_transaction(mysqli $mysql, int $flags = 0, ?string $name = null): bool {}

/**
 * @rust crate::mysqli::change_user
 */
function mysqli_change_user(mysqli $mysql, string $username, #[SensitiveParameter] string $password, ?string $database): bool {}

/**
 * @rust crate::mysqli::character_set_name
 */
function mysqli_character_set_name(mysqli $mysql): string {}

/**
 * @rust crate::mysqli::close
 */
function mysqli_close(mysqli $mysql): true {}

/**
 * @rust crate::mysqli::commit
 */
function mysqli_commit(mysqli $mysql, int $flags = 0, ?string $name = null): bool {}

function mysqli_connect(?string $hostname = null, ?string $username = null, #[SensitiveParameter] ?string $password = null, ?string $database = null, ?int $port = null, ?string $socket = null): mysqli|false {}

function mysqli_connect_errno(): int {}

function mysqli_connect_error(): ?string {}

/**
 * @rust crate::mysqli_result::data_seek
 */
function mysqli_data_seek(mysqli_result $result, int $offset): bool {}

function mysqli_debug(string $options): true {}

/**
 * @rust crate::mysqli::dump_debug_info
 */
function mysqli_dump_debug_info(mysqli $mysql): bool {}

/**
 * @rust crate::mysqli::errno
 */
function mysqli_errno(mysqli $mysql): int {}

/**
 * @rust crate::mysqli::error
 */
function mysqli_error(mysqli $mysql): string {}

/**
 * @rust crate::mysqli::error_list_
 */
function mysqli_error_list(mysqli $mysql): array {}

/**
 * @rust crate::mysqli::escape_string
 */
function mysqli_escape_string(mysqli $mysql, string $string): string {}

/**
 * @rust crate::mysqli_stmt::execute
 */
function mysqli_execute(mysqli_stmt $statement, ?array $params = null): bool {}

/**
 * @rust crate::mysqli::execute_query
 */
function mysqli_execute_query(mysqli $mysql, string $query, ?array $params = null): mysqli_result|bool {}

/**
 * @rust crate::mysqli_result::fetch_all
 */
function mysqli_fetch_all(mysqli_result $result, int $mode = MYSQLI_NUM): array {}

/**
 * @rust crate::mysqli_result::fetch_array
 */
function mysqli_fetch_array(mysqli_result $result, int $mode = MYSQLI_BOTH): array|false|null {}

/**
 * @rust crate::mysqli_result::fetch_assoc
 */
function mysqli_fetch_assoc(mysqli_result $result): array|false|null {}

/**
 * @rust crate::mysqli_result::fetch_column
 */
function mysqli_fetch_column(mysqli_result $result, int $column = 0): string|int|float|false|null {}

/**
 * @rust crate::mysqli_result::fetch_field
 */
function mysqli_fetch_field(mysqli_result $result): object|false {}

/**
 * @rust crate::mysqli_result::fetch_field_direct
 */
function mysqli_fetch_field_direct(mysqli_result $result, int $index): object|false {}

/**
 * @rust crate::mysqli_result::fetch_fields
 */
function mysqli_fetch_fields(mysqli_result $result): array {}

/**
 * @rust crate::mysqli_result::fetch_lengths
 */
function mysqli_fetch_lengths(mysqli_result $result): array|false {}

/**
 * @rust crate::mysqli_result::fetch_object
 * @unchecked $class
 * @unchecked $constructor_args
 */
function mysqli_fetch_object(mysqli_result $result, string $class = "stdClass", array $constructor_args = []): object|false|null {}

/**
 * @rust crate::mysqli_result::fetch_row
 */
function mysqli_fetch_row(mysqli_result $result): array|false|null {}

/**
 * @rust crate::mysqli::field_count
 */
function mysqli_field_count(mysqli $mysql): int {}

/**
 * @rust crate::mysqli_result::field_seek
 */
function mysqli_field_seek(mysqli_result $result, int $index): true {}

/**
 * @rust crate::mysqli_result::field_tell
 */
function mysqli_field_tell(mysqli_result $result): int {}

/**
 * @rust crate::mysqli_result::free_result
 */
function mysqli_free_result(mysqli_result $result): void {}

/**
 * @rust crate::mysqli::get_charset
 */
function mysqli_get_charset(mysqli $mysql): ?object {}

function mysqli_get_client_info(?mysqli $mysql = null): string {}

function mysqli_get_client_stats(): array {}

function mysqli_get_client_version(): int {}

/**
 * @rust crate::mysqli::get_connection_stats
 */
function mysqli_get_connection_stats(mysqli $mysql): array {}

/**
 * @rust crate::mysqli::get_host_info
 */
function mysqli_get_host_info(mysqli $mysql): string {}

function mysqli_get_links_stats(): array {}

/**
 * @rust crate::mysqli::get_proto_info
 */
function mysqli_get_proto_info(mysqli $mysql): int {}

/**
 * @rust crate::mysqli::get_server_info
 */
function mysqli_get_server_info(mysqli $mysql): string {}

/**
 * @rust crate::mysqli::get_server_version
 */
function mysqli_get_server_version(mysqli $mysql): int {}

/**
 * @rust crate::mysqli::get_warnings
 */
function mysqli_get_warnings(mysqli $mysql): mysqli_warning|false {}

/**
 * @rust crate::mysqli::info
 */
function mysqli_info(mysqli $mysql): ?string {}

function mysqli_init(): mysqli|false {}

/**
 * @rust crate::mysqli::insert_id
 */
function mysqli_insert_id(mysqli $mysql): string|int {}

/**
 * @rust crate::mysqli::kill
 */
#[\Deprecated(since: '8.4', message: 'use KILL CONNECTION/QUERY SQL statement instead')]
function mysqli_kill(mysqli $mysql, int $process_id): bool {}

/**
 * @rust crate::mysqli::more_results
 */
function mysqli_more_results(mysqli $mysql): bool {}

/**
 * @rust crate::mysqli::multi_query
 */
function mysqli_multi_query(mysqli $mysql, string $query): bool {}

/**
 * @rust crate::mysqli::next_result
 */
function mysqli_next_result(mysqli $mysql): bool {}

/**
 * @rust crate::mysqli_result::num_fields
 */
function mysqli_num_fields(mysqli_result $result): int {}

/**
 * @rust crate::mysqli_result::num_rows
 */
function mysqli_num_rows(mysqli_result $result): string|int {}

/**
 * @rust crate::mysqli::options
 */
function mysqli_options(mysqli $mysql, int $option, $value): bool {}

/**
 * @rust crate::mysqli::ping
 */
#[\Deprecated(since: '8.4', message: 'because the reconnect feature has been removed in PHP 8.2 and this function is now redundant')]
function mysqli_ping(mysqli $mysql): bool {}

function mysqli_poll(?array &$read, ?array &$error, array &$reject, int $seconds, int $microseconds = 0): int|false {}

/**
 * @rust crate::mysqli::prepare
 */
function mysqli_prepare(mysqli $mysql, string $query): mysqli_stmt|false {}

/**
 * @rust crate::mysqli::query
 */
function mysqli_query(mysqli $mysql, string $query, int $result_mode = MYSQLI_STORE_RESULT): mysqli_result|bool {}

/**
 * @rust crate::mysqli::real_connect
 */
function mysqli_real_connect(mysqli $mysql, ?string $hostname = null, ?string $username = null, #[SensitiveParameter] ?string $password = null, ?string $database = null, ?int $port = null, ?string $socket = null, int $flags = 0): bool {}

/**
 * @rust crate::mysqli::real_escape_string
 */
function mysqli_real_escape_string(mysqli $mysql, string $string): string {}

/**
 * @rust crate::mysqli::real_query
 */
function mysqli_real_query(mysqli $mysql, string $query): bool {}

/**
 * @rust crate::mysqli::reap_async_query
 */
function mysqli_reap_async_query(mysqli $mysql): mysqli_result|bool {}

/**
 * @rust crate::mysqli::refresh
 */
#[\Deprecated(since: '8.4', message: 'use FLUSH SQL statement instead')]
function mysqli_refresh(mysqli $mysql, int $flags): bool {}

/**
 * @rust crate::mysqli::release_savepoint
 */
function mysqli_release_savepoint(mysqli $mysql, string $name): bool {}

function mysqli_report(int $flags): true {}

/**
 * @rust crate::mysqli::rollback
 */
function mysqli_rollback(mysqli $mysql, int $flags = 0, ?string $name = null): bool {}

/**
 * @rust crate::mysqli::savepoint
 */
function mysqli_savepoint(mysqli $mysql, string $name): bool {}

/**
 * @rust crate::mysqli::select_db
 */
function mysqli_select_db(mysqli $mysql, string $database): bool {}

/**
 * @rust crate::mysqli::set_charset
 */
function mysqli_set_charset(mysqli $mysql, string $charset): bool {}

/**
 * @rust crate::mysqli::set_opt
 */
function mysqli_set_opt(mysqli $mysql, int $option, $value): bool {}

/**
 * @rust crate::mysqli::sqlstate
 */
function mysqli_sqlstate(mysqli $mysql): string {}

/**
 * @rust crate::mysqli::ssl_set
 */
function mysqli_ssl_set(mysqli $mysql, ?string $key, ?string $certificate, ?string $ca_certificate, ?string $ca_path, ?string $cipher_algos): true {}

/**
 * @rust crate::mysqli::stat
 */
function mysqli_stat(mysqli $mysql): string|false {}

/**
 * @rust crate::mysqli_stmt::affected_rows
 */
function mysqli_stmt_affected_rows(mysqli_stmt $statement): string|int {}

/**
 * @rust crate::mysqli_stmt::attr_get
 */
function mysqli_stmt_attr_get(mysqli_stmt $statement, int $attribute): int {}

/**
 * @rust crate::mysqli_stmt::attr_set
 */
function mysqli_stmt_attr_set(mysqli_stmt $statement, int $attribute, int $value): bool {}

/**
 * @rust crate::mysqli_stmt::bind_param
 */
function mysqli_stmt_bind_param(mysqli_stmt $statement, string $types, mixed &...$vars): bool {}

/**
 * @rust crate::mysqli_stmt::bind_result
 */
function mysqli_stmt_bind_result(mysqli_stmt $statement, mixed &...$vars): bool {}

/**
 * @rust crate::mysqli_stmt::close
 */
function mysqli_stmt_close(mysqli_stmt $statement): true {}

/**
 * @rust crate::mysqli_stmt::data_seek
 */
function mysqli_stmt_data_seek(mysqli_stmt $statement, int $offset): void {}

/**
 * @rust crate::mysqli_stmt::errno
 */
function mysqli_stmt_errno(mysqli_stmt $statement): int {}

/**
 * @rust crate::mysqli_stmt::error
 */
function mysqli_stmt_error(mysqli_stmt $statement): string {}

/**
 * @rust crate::mysqli_stmt::error_list_
 */
function mysqli_stmt_error_list(mysqli_stmt $statement): array {}

/**
 * @rust crate::mysqli_stmt::execute
 */
function mysqli_stmt_execute(mysqli_stmt $statement, ?array $params = null): bool {}

/**
 * @rust crate::mysqli_stmt::fetch
 */
function mysqli_stmt_fetch(mysqli_stmt $statement): ?bool {}

/**
 * @rust crate::mysqli_stmt::field_count
 */
function mysqli_stmt_field_count(mysqli_stmt $statement): int {}

/**
 * @rust crate::mysqli_stmt::free_result
 */
function mysqli_stmt_free_result(mysqli_stmt $statement): void {}

/**
 * @rust crate::mysqli_stmt::get_result
 */
function mysqli_stmt_get_result(mysqli_stmt $statement): mysqli_result|false {}

/**
 * @rust crate::mysqli_stmt::get_warnings
 */
function mysqli_stmt_get_warnings(mysqli_stmt $statement): mysqli_warning|false {}

/**
 * @rust crate::mysqli::stmt_init
 */
function mysqli_stmt_init(mysqli $mysql): mysqli_stmt|false {}

/**
 * @rust crate::mysqli_stmt::insert_id
 */
function mysqli_stmt_insert_id(mysqli_stmt $statement): string|int {}

/**
 * @rust crate::mysqli_stmt::more_results
 */
function mysqli_stmt_more_results(mysqli_stmt $statement): bool {}

/**
 * @rust crate::mysqli_stmt::next_result
 */
function mysqli_stmt_next_result(mysqli_stmt $statement): bool {}

/**
 * @rust crate::mysqli_stmt::num_rows
 */
function mysqli_stmt_num_rows(mysqli_stmt $statement): string|int {}

/**
 * @rust crate::mysqli_stmt::param_count
 */
function mysqli_stmt_param_count(mysqli_stmt $statement): int {}

/**
 * @rust crate::mysqli_stmt::prepare
 */
function mysqli_stmt_prepare(mysqli_stmt $statement, string $query): bool {}

/**
 * @rust crate::mysqli_stmt::reset
 */
function mysqli_stmt_reset(mysqli_stmt $statement): bool {}

/**
 * @rust crate::mysqli_stmt::result_metadata
 */
function mysqli_stmt_result_metadata(mysqli_stmt $statement): mysqli_result|false {}

/**
 * @rust crate::mysqli_stmt::send_long_data
 */
function mysqli_stmt_send_long_data(mysqli_stmt $statement, int $param_num, string $data): bool {}

/**
 * @rust crate::mysqli_stmt::sqlstate
 */
function mysqli_stmt_sqlstate(mysqli_stmt $statement): string {}

/**
 * @rust crate::mysqli_stmt::store_result
 */
function mysqli_stmt_store_result(mysqli_stmt $statement): bool {}

/**
 * @rust crate::mysqli::store_result
 */
function mysqli_store_result(mysqli $mysql, int $mode = 0): mysqli_result|false {}

/**
 * @rust crate::mysqli::thread_id
 */
function mysqli_thread_id(mysqli $mysql): int {}

function mysqli_thread_safe(): bool {}

/**
 * @rust crate::mysqli::use_result
 */
function mysqli_use_result(mysqli $mysql): mysqli_result|false {}

/**
 * @rust crate::mysqli::warning_count
 */
function mysqli_warning_count(mysqli $mysql): int {}
