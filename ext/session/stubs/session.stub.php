<?php

const PHP_SESSION_DISABLED = 0;
const PHP_SESSION_NONE = 1;
const PHP_SESSION_ACTIVE = 2;

function session_abort(): bool {}

/** @rust crate::parameters::session_cache_expire */
function session_cache_expire(?int $value = null): int|false {}

/** @rust crate::parameters::session_cache_limiter */
function session_cache_limiter(?string $value = null): string|false {}

/** @alias session_write_close */
function session_commit(): bool {}

/** @rust crate::parameters::session_create_id */
function session_create_id(string $prefix = ""): string|false {}

function session_decode(string $data): bool {}

function session_destroy(): bool {}

function session_encode(): string|false {}

function session_gc(): int|false {}

/** @rust crate::parameters::session_get_cookie_params */
function session_get_cookie_params(): array {}

/** @rust crate::parameters::session_id */
function session_id(?string $id = null): string|false {}

/** @rust crate::parameters::session_module_name */
function session_module_name(?string $module = null): string|false {}

/** @rust crate::parameters::session_name */
function session_name(?string $name = null): string|false {}

function session_regenerate_id(bool $delete_old_session = false): bool {}

function session_register_shutdown(): void {}

function session_reset(): bool {}

/** @rust crate::parameters::session_save_path */
function session_save_path(?string $path = null): string|false {}

/** @rust crate::parameters::session_set_cookie_params */
function session_set_cookie_params(array|int $lifetime_or_options, ?string $path = null, ?string $domain = null, ?bool $secure = null, ?bool $httponly = null): bool {}

/**
 * @rust crate::user::session_set_save_handler
 * @unchecked $open
 * @unchecked $close
 * @unchecked $read
 * @unchecked $write
 * @unchecked $destroy
 * @unchecked $gc
 * @unchecked $create_sid
 * @unchecked $validate_sid
 * @unchecked $update_timestamp
 */
function session_set_save_handler($open, $close = UNKNOWN, callable $read = UNKNOWN, callable $write = UNKNOWN, callable $destroy = UNKNOWN, callable $gc = UNKNOWN, ?callable $create_sid = null, ?callable $validate_sid = null, ?callable $update_timestamp = null): bool {}

function session_start(array $options = []): bool {}

function session_status(): int {}

function session_unset(): bool {}

function session_write_close(): bool {}

/*
 * @ini session.auto_start "0" PERDIR
 * @ini session.cache_expire "180" ALL on_change crate::settings::plain
 * @ini session.cache_limiter "nocache" ALL on_change crate::settings::plain
 * @ini session.cookie_domain "" ALL on_change crate::settings::plain
 * @ini session.cookie_httponly "0" ALL on_change crate::settings::plain
 * @ini session.cookie_lifetime "0" ALL on_change crate::settings::cookie_lifetime
 * @ini session.cookie_path "/" ALL on_change crate::settings::plain
 * @ini session.cookie_samesite "" ALL on_change crate::settings::plain
 * @ini session.cookie_secure "0" ALL on_change crate::settings::plain
 * @ini session.gc_divisor "100" ALL on_change crate::settings::gc_divisor
 * @ini session.gc_maxlifetime "1440" ALL on_change crate::settings::plain
 * @ini session.gc_probability "1" ALL on_change crate::settings::gc_probability
 * @ini session.lazy_write "1" ALL on_change crate::settings::plain
 * @ini session.name "PHPSESSID" ALL on_change crate::settings::name
 * @ini session.referer_check "" ALL on_change crate::settings::referer_check
 * @ini session.save_handler "files" ALL on_change crate::settings::save_handler
 * @ini session.save_path "" ALL on_change crate::settings::save_path
 * @ini session.serialize_handler "php" ALL on_change crate::settings::serialize_handler
 * @ini session.sid_bits_per_character "4" ALL on_change crate::settings::sid_bits_per_character
 * @ini session.sid_length "32" ALL on_change crate::settings::sid_length
 * @ini session.trans_sid_hosts "" ALL on_change crate::settings::trans_sid_hosts
 * @ini session.trans_sid_tags "a=href,area=href,frame=src,form=" ALL on_change crate::settings::trans_sid_tags
 * @ini session.upload_progress.cleanup "1" PERDIR
 * @ini session.upload_progress.enabled "1" PERDIR
 * @ini session.upload_progress.freq "1%" PERDIR
 * @ini session.upload_progress.min_freq "1" PERDIR
 * @ini session.upload_progress.name "PHP_SESSION_UPLOAD_PROGRESS" PERDIR
 * @ini session.upload_progress.prefix "upload_progress_" PERDIR
 * @ini session.use_cookies "1" ALL on_change crate::settings::plain
 * @ini session.use_only_cookies "1" ALL on_change crate::settings::use_only_cookies
 * @ini session.use_strict_mode "0" ALL on_change crate::settings::plain
 * @ini session.use_trans_sid "0" ALL on_change crate::settings::use_trans_sid
 */
