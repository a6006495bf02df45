<?php

/*
 * The settings of Core and of the main program.
 *
 * @ini allow_url_fopen "1" SYSTEM
 * @ini allow_url_include "0" SYSTEM
 * @ini arg_separator.input "&" PERDIR on_change crate::settings::not_empty
 * @ini arg_separator.output "&" ALL on_change crate::settings::not_empty
 * @ini auto_append_file NULL PERDIR
 * @ini auto_globals_jit "1" PERDIR
 * @ini auto_prepend_file NULL PERDIR
 * @ini default_charset "UTF-8" ALL
 * @ini default_mimetype "text/html" ALL
 * @ini disable_classes "" SYSTEM
 * @ini disable_functions "" SYSTEM
 * @ini display_errors "1" ALL
 * @ini display_startup_errors "1" ALL
 * @ini doc_root NULL SYSTEM
 * @ini docref_ext "" ALL
 * @ini docref_root "" ALL
 * @ini enable_dl "1" SYSTEM
 * @ini enable_post_data_reading "1" PERDIR
 * @ini error_append_string NULL ALL
 * @ini error_log NULL ALL
 * @ini error_log_mode "0644" ALL
 * @ini error_prepend_string NULL ALL
 * @ini error_reporting NULL ALL on_change crate::settings::error_reporting
 * @ini expose_php "1" SYSTEM
 * @ini extension_dir "/usr/lib/php/20240924" SYSTEM
 * @ini fiber.stack_size NULL ALL on_change crate::settings::fiber_stack_size
 * @ini file_uploads "1" SYSTEM
 * @ini hard_timeout "2" SYSTEM
 * @ini highlight.comment "#FF8000" ALL
 * @ini highlight.default "#0000BB" ALL
 * @ini highlight.html "#000000" ALL
 * @ini highlight.keyword "#007700" ALL
 * @ini highlight.string "#DD0000" ALL
 * @ini html_errors "1" ALL
 * @ini ignore_repeated_errors "0" ALL
 * @ini ignore_repeated_source "0" ALL
 * @ini ignore_user_abort "0" ALL
 * @ini implicit_flush "0" ALL on_change crate::settings::implicit_flush
 * @ini include_path ".:/usr/share/php" ALL on_change crate::settings::not_empty
 * @ini input_encoding NULL ALL
 * @ini internal_encoding NULL ALL
 * @ini log_errors "0" ALL
 * @ini mail.add_x_header "0" PERDIR
 * @ini mail.force_extra_parameters NULL PERDIR
 * @ini mail.log NULL PERDIR
 * @ini mail.mixed_lf_and_crlf "0" PERDIR
 * @ini max_execution_time "30" ALL on_change crate::settings::max_execution_time
 * @ini max_file_uploads "20" PERDIR
 * @ini max_input_nesting_level "64" PERDIR
 * @ini max_input_time "-1" PERDIR
 * @ini max_input_vars "1000" PERDIR
 * @ini max_multipart_body_parts "-1" PERDIR
 * @ini memory_limit "128M" ALL on_change crate::settings::memory_limit
 * @ini open_basedir NULL ALL
 * @ini output_buffering "0" PERDIR
 * @ini output_encoding NULL ALL
 * @ini output_handler NULL PERDIR
 * @ini post_max_size "8M" PERDIR
 * @ini precision "14" ALL on_change crate::settings::precision
 * @ini realpath_cache_size "4096K" SYSTEM
 * @ini realpath_cache_ttl "120" SYSTEM
 * @ini register_argc_argv "1" PERDIR
 * @ini report_memleaks "1" ALL
 * @ini report_zend_debug "0" ALL
 * @ini request_order NULL PERDIR
 * @ini sendmail_from NULL ALL
 * @ini sendmail_path "/usr/sbin/sendmail -t -i" SYSTEM
 * @ini serialize_precision "-1" ALL on_change crate::settings::serialize_precision
 * @ini short_open_tag "1" PERDIR
 * @ini SMTP "localhost" ALL
 * @ini smtp_port "25" ALL
 * @ini sys_temp_dir NULL SYSTEM
 * @ini syslog.facility "LOG_USER" SYSTEM
 * @ini syslog.filter "no-ctrl" ALL
 * @ini syslog.ident "php" SYSTEM
 * @ini unserialize_callback_func NULL ALL
 * @ini unserialize_max_depth "4096" ALL
 * @ini upload_max_filesize "2M" PERDIR
 * @ini upload_tmp_dir NULL SYSTEM
 * @ini user_dir NULL SYSTEM
 * @ini user_ini.cache_ttl "300" SYSTEM
 * @ini user_ini.filename ".user.ini" SYSTEM
 * @ini variables_order "EGPCS" PERDIR
 * @ini xmlrpc_error_number "0" ALL
 * @ini xmlrpc_errors "0" SYSTEM
 * @ini zend.assertions "1" ALL on_change crate::settings::assertions
 * @ini zend.detect_unicode "1" ALL
 * @ini zend.enable_gc "1" ALL on_change crate::settings::enable_gc
 * @ini zend.exception_ignore_args "0" ALL
 * @ini zend.exception_string_param_max_len "15" ALL on_change crate::settings::string_param_max_len
 * @ini zend.max_allowed_stack_size "0" SYSTEM
 * @ini zend.multibyte "0" PERDIR
 * @ini zend.reserved_stack_size "0" SYSTEM
 * @ini zend.script_encoding NULL ALL
 * @ini zend.signal_check "0" SYSTEM
 */
