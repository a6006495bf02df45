<?php

/** @hooks crate::mysqli::HOOKS */
class mysqli
{
    public string|int $affected_rows;
    public string $client_info;
    public int $client_version;
    public int $connect_errno;
    public ?string $connect_error;
    public int $errno;
    public string $error;
    public array $error_list;
    public int $field_count;
    public string $host_info;
    public ?string $info;
    public string|int $insert_id;
    public string $server_info;
    public int $server_version;
    public string $sqlstate;
    public int $protocol_version;
    public int $thread_id;
    public int $warning_count;

    /** @unchecked $hostname */
    public function __construct(?string $hostname = null, ?string $username = null, #[SensitiveParameter] ?string $password = null, ?string $database = null, ?int $port = null, ?string $socket = null) {}

    /** @tentative-return-type */
    public function autocommit(bool $enable): bool {}

    /** @tentative-return-type */
    public function begin_transaction(int $flags = 0, ?string $name = null): bool {}

    /** @tentative-return-type */
    public function change_user(string $username, #[SensitiveParameter] string $password, ?string $database): bool {}

    /** @tentative-return-type */
    public function character_set_name(): string {}

    /** @tentative-return-type */
    public function close(): true {}

    /** @tentative-return-type */
    public function commit(int $flags = 0, ?string $name = null): bool {}

    /** @tentative-return-type */
    public function connect(?string $hostname = null, ?string $username = null, #[SensitiveParameter] ?string $password = null, ?string $database = null, ?int $port = null, ?string $socket = null): bool {}

    /** @tentative-return-type */
    public function dump_debug_info(): bool {}

    /** @tentative-return-type */
    public function debug(string $options): true {}

    /** @tentative-return-type */
    public function get_charset(): ?object {}

    public function execute_query(string $query, ?array $params = null): mysqli_result|bool {}

    /**
     * @tentative-return-type
     */
    #[\Deprecated(since: '8.1', message: 'use mysqli_get_client_info() instead')]
    public function get_client_info(): string {}

    /** @tentative-return-type */
    public function get_connection_stats(): array {}

    /** @tentative-return-type */
    public function get_server_info(): string {}

    /** @tentative-return-type */
    public function get_warnings(): mysqli_warning|false {}

    #[\Deprecated(since: '8.1', message: 'replace calls to parent::init() with parent::__construct()')]
        public function init() {}

    /**
     * @tentative-return-type
     */
    #[\Deprecated(since: '8.4', message: 'use KILL CONNECTION/QUERY SQL statement instead')]
    public function kill(int $process_id): bool {}

    /** @tentative-return-type */
    public function multi_query(string $query): bool {}

    /** @tentative-return-type */
    public function more_results(): bool {}

    /** @tentative-return-type */
    public function next_result(): bool {}

    /**
     * @tentative-return-type
     */
    #[\Deprecated(since: '8.4', message: 'because the reconnect feature has been removed in PHP 8.2 and this method is now redundant')]
    public function ping(): bool {}

    /** @tentative-return-type */
    public static function poll(?array &$read, ?array &$error, array &$reject, int $seconds, int $microseconds = 0): int|false {}

    /** @tentative-return-type */
    public function prepare(string $query): mysqli_stmt|false {}

    /** @tentative-return-type */
    public function query(string $query, int $result_mode = MYSQLI_STORE_RESULT): mysqli_result|bool {}

    /** @tentative-return-type */
    public function real_connect(?string $hostname = null, ?string $username = null, #[SensitiveParameter] ?string $password = null, ?string $database = null, ?int $port = null, ?string $socket = null, int $flags = 0): bool {}

    /** @tentative-return-type */
    public function real_escape_string(string $string): string {}

    /** @tentative-return-type */
    public function reap_async_query(): mysqli_result|bool {}

    /** @tentative-return-type */
    public function escape_string(string $string): string {}

    /** @tentative-return-type */
    public function real_query(string $query): bool {}

    /** @tentative-return-type */
    public function release_savepoint(string $name): bool {}

    /** @tentative-return-type */
    public function rollback(int $flags = 0, ?string $name = null): bool {}

    /** @tentative-return-type */
    public function savepoint(string $name): bool {}

    /** @tentative-return-type */
    public function select_db(string $database): bool {}

    /** @tentative-return-type */
    public function set_charset(string $charset): bool {}

    /** @tentative-return-type */
    public function options(int $option, $value): bool {}

    /** @tentative-return-type */
    public function set_opt(int $option, $value): bool {}

    /** @tentative-return-type */
    public function ssl_set(?string $key, ?string $certificate, ?string $ca_certificate, ?string $ca_path, ?string $cipher_algos): true {}

    /** @tentative-return-type */
    public function stat(): string|false {}

    /** @tentative-return-type */
    public function stmt_init(): mysqli_stmt|false {}

    /** @tentative-return-type */
    public function store_result(int $mode = 0): mysqli_result|false {}

    /** @tentative-return-type */
    public function thread_safe(): bool {}

    /** @tentative-return-type */
    public function use_result(): mysqli_result|false {}

    /**
     * @tentative-return-type
     */
    #[\Deprecated(since: '8.4', message: 'use FLUSH SQL statement instead')]
    public function refresh(int $flags): bool {}
}

/** @hooks crate::mysqli_driver::HOOKS */
final class mysqli_driver
{
    public string $client_info;
    public int $client_version;
    public int $driver_version;
    public int $report_mode;
}

/** @hooks crate::mysqli_result::HOOKS */
class mysqli_result implements IteratorAggregate
{
    public int $current_field;
    public int $field_count;
    public ?array $lengths;
    public string|int $num_rows;
    public int $type;

    public function __construct(mysqli $mysql, int $result_mode = MYSQLI_STORE_RESULT) {}

    /** @tentative-return-type */
    public function close(): void {}

    /** @tentative-return-type */
    public function free(): void {}

    /** @tentative-return-type */
    public function data_seek(int $offset): bool {}

    /** @tentative-return-type */
    public function fetch_field(): object|false {}

    /** @tentative-return-type */
    public function fetch_fields(): array {}

    /** @tentative-return-type */
    public function fetch_field_direct(int $index): object|false {}

    /** @tentative-return-type */
    public function fetch_all(int $mode = MYSQLI_NUM): array {}

    /** @tentative-return-type */
    public function fetch_array(int $mode = MYSQLI_BOTH): array|false|null {}

    /** @tentative-return-type */
    public function fetch_assoc(): array|false|null {}

    /**
     * @tentative-return-type
     * @unchecked $class
     * @unchecked $constructor_args
     */
    public function fetch_object(string $class = "stdClass", array $constructor_args = []): object|false|null {}

    /** @tentative-return-type */
    public function fetch_row(): array|false|null {}

    public function fetch_column(int $column = 0): string|int|float|false|null {}

    /** @tentative-return-type */
    public function field_seek(int $index): true {}

    /** @tentative-return-type */
    public function free_result(): void {}

    public function getIterator(): Iterator {}
}

final class mysqli_sql_exception extends RuntimeException
{
    protected string $sqlstate = "00000";

    public function getSqlState(): string {}
}

/** @hooks crate::mysqli_stmt::HOOKS */
class mysqli_stmt
{
    public string|int $affected_rows;
    public string|int $insert_id;
    public string|int $num_rows;
    public int $param_count;
    public int $field_count;
    public int $errno;
    public string $error;
    public array $error_list;
    public string $sqlstate;
    public int $id;

    public function __construct(mysqli $mysql, ?string $query = null) {}

    /** @tentative-return-type */
    public function attr_get(int $attribute): int {}

    /** @tentative-return-type */
    public function attr_set(int $attribute, int $value): bool {}

    /** @tentative-return-type */
    public function bind_param(string $types, mixed &...$vars): bool {}

    /** @tentative-return-type */
    public function bind_result(mixed &...$vars): bool {}

    /** @tentative-return-type */
    public function close(): true {}

    /** @tentative-return-type */
    public function data_seek(int $offset): void {}

    /** @tentative-return-type */
    public function execute(?array $params = null): bool {}

    /** @tentative-return-type */
    public function fetch(): ?bool {}

    /** @tentative-return-type */
    public function get_warnings(): mysqli_warning|false {}

    /** @tentative-return-type */
    public function result_metadata(): mysqli_result|false {}

    /** @tentative-return-type */
    public function more_results(): bool {}

    /** @tentative-return-type */
    public function next_result(): bool {}

    /** @tentative-return-type */
    public function num_rows(): string|int {}

    /** @tentative-return-type */
    public function send_long_data(int $param_num, string $data): bool {}

    /** @tentative-return-type */
    public function free_result(): void {}

    /** @tentative-return-type */
    public function reset(): bool {}

    /** @tentative-return-type */
    public function prepare(string $query): bool {}

    /** @tentative-return-type */
    public function store_result(): bool {}

    /** @tentative-return-type */
    public function get_result(): mysqli_result|false {}
}

/** @hooks crate::mysqli_warning::HOOKS */
final class mysqli_warning
{
    public string $message;
    public string $sqlstate;
    public int $errno;

    private function __construct() {}

    public function next(): bool {}
}
