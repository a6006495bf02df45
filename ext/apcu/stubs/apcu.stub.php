<?php

/*
 * @ini apc.enabled "1" SYSTEM
 * @ini apc.shm_segments "1" SYSTEM
 * @ini apc.shm_size "32M" SYSTEM
 * @ini apc.entries_hint "4096" SYSTEM
 * @ini apc.gc_ttl "3600" SYSTEM
 * @ini apc.ttl "0" SYSTEM
 * @ini apc.smart "0" SYSTEM
 * @ini apc.mmap_file_mask NULL SYSTEM
 * @ini apc.enable_cli "0" SYSTEM
 * @ini apc.slam_defense "0" SYSTEM
 * @ini apc.preload_path NULL SYSTEM
 * @ini apc.coredump_unmap "0" SYSTEM
 * @ini apc.use_request_time "0" ALL
 * @ini apc.serializer "php" SYSTEM
 */

const APC_LIST_ACTIVE = 1;
const APC_LIST_DELETED = 2;
const APC_ITER_TYPE = 1;
const APC_ITER_KEY = 2;
const APC_ITER_VALUE = 4;
const APC_ITER_NUM_HITS = 8;
const APC_ITER_MTIME = 16;
const APC_ITER_CTIME = 32;
const APC_ITER_DTIME = 64;
const APC_ITER_ATIME = 128;
const APC_ITER_REFCOUNT = 256;
const APC_ITER_MEM_SIZE = 512;
const APC_ITER_TTL = 1024;
const APC_ITER_NONE = 0;
const APC_ITER_ALL = 4294967295;

function apcu_clear_cache(): bool {}

function apcu_cache_info(bool $limited = false): array|false {}

function apcu_key_info(string $key): ?array {}

function apcu_sma_info(bool $limited = false): array|false {}

function apcu_enabled(): bool {}

function apcu_store($key, mixed $value = UNKNOWN, int $ttl = 0): array|bool {}

function apcu_add($key, mixed $value = UNKNOWN, int $ttl = 0): array|bool {}

function apcu_inc(string $key, int $step = 1, &$success = null, int $ttl = 0): int|false {}

function apcu_dec(string $key, int $step = 1, &$success = null, int $ttl = 0): int|false {}

function apcu_cas(string $key, int $old, int $new): bool {}

function apcu_fetch($key, &$success = null): mixed {}

function apcu_exists($key): array|bool {}

function apcu_delete($key): array|bool {}

function apcu_entry(string $key, callable $callback, int $ttl = 0): mixed {}

/**
 * @hooks crate::apcu_iterator::HOOKS
 * @rust crate::apcu_iterator
 */
class APCUIterator implements Iterator
{
    public function __construct($search = null, int $format = APC_ITER_ALL, int $chunk_size = 0, int $list = APC_LIST_ACTIVE) {}

    public function rewind(): void {}

    public function next(): void {}

    public function valid(): bool {}

    public function key(): string|int {}

    public function current(): mixed {}

    public function getTotalHits(): int {}

    public function getTotalSize(): int {}

    public function getTotalCount(): int {}
}
