<?php

/*
 * @ini opcache.blacklist_filename "" SYSTEM
 * @ini opcache.dups_fix "0" ALL
 * @ini opcache.enable "1" ALL on_change crate::opcache::enable
 * @ini opcache.enable_cli "0" SYSTEM
 * @ini opcache.enable_file_override "0" SYSTEM
 * @ini opcache.error_log "" SYSTEM
 * @ini opcache.file_cache NULL SYSTEM
 * @ini opcache.file_cache_consistency_checks "1" SYSTEM
 * @ini opcache.file_cache_only "0" SYSTEM
 * @ini opcache.file_update_protection "2" ALL
 * @ini opcache.force_restart_timeout "180" SYSTEM
 * @ini opcache.huge_code_pages "0" SYSTEM
 * @ini opcache.interned_strings_buffer "8" SYSTEM
 * @ini opcache.jit "" ALL
 * @ini opcache.jit_bisect_limit "0" ALL
 * @ini opcache.jit_blacklist_root_trace "16" ALL
 * @ini opcache.jit_blacklist_side_trace "8" ALL
 * @ini opcache.jit_buffer_size "64M" SYSTEM
 * @ini opcache.jit_debug "0" ALL
 * @ini opcache.jit_hot_func "127" SYSTEM
 * @ini opcache.jit_hot_loop "64" SYSTEM
 * @ini opcache.jit_hot_return "8" SYSTEM
 * @ini opcache.jit_hot_side_exit "8" ALL
 * @ini opcache.jit_max_exit_counters "8192" SYSTEM
 * @ini opcache.jit_max_loop_unrolls "8" ALL
 * @ini opcache.jit_max_polymorphic_calls "2" ALL
 * @ini opcache.jit_max_recursive_calls "2" ALL
 * @ini opcache.jit_max_recursive_returns "2" ALL
 * @ini opcache.jit_max_root_traces "1024" SYSTEM
 * @ini opcache.jit_max_side_traces "128" SYSTEM
 * @ini opcache.jit_max_trace_length "1024" ALL
 * @ini opcache.jit_prof_threshold "0.005" ALL
 * @ini opcache.lockfile_path "/tmp" SYSTEM
 * @ini opcache.log_verbosity_level "1" SYSTEM
 * @ini opcache.max_accelerated_files "10000" SYSTEM
 * @ini opcache.max_file_size "0" SYSTEM
 * @ini opcache.max_wasted_percentage "5" SYSTEM
 * @ini opcache.memory_consumption "128" SYSTEM
 * @ini opcache.opt_debug_level "0" SYSTEM
 * @ini opcache.optimization_level "0x7FFEBFFF" SYSTEM
 * @ini opcache.preferred_memory_model "" SYSTEM
 * @ini opcache.preload "" SYSTEM
 * @ini opcache.preload_user "" SYSTEM
 * @ini opcache.protect_memory "0" SYSTEM
 * @ini opcache.record_warnings "0" SYSTEM
 * @ini opcache.restrict_api "" SYSTEM
 * @ini opcache.revalidate_freq "2" ALL
 * @ini opcache.revalidate_path "0" ALL
 * @ini opcache.save_comments "1" SYSTEM
 * @ini opcache.use_cwd "1" SYSTEM
 * @ini opcache.validate_permission "0" SYSTEM
 * @ini opcache.validate_root "0" SYSTEM
 * @ini opcache.validate_timestamps "1" ALL
 */

function opcache_reset(): bool {}

function opcache_get_status(bool $include_scripts = true): array|false {}

function opcache_compile_file(string $filename): bool {}

function opcache_invalidate(string $filename, bool $force = false): bool {}

function opcache_jit_blacklist(Closure $closure): void {}

function opcache_get_configuration(): array|false {}

function opcache_is_script_cached(string $filename): bool {}
