<?php

/**
 * @ini mbstring.language "neutral" ALL on_change crate::settings::language_changed
 * @ini mbstring.internal_encoding NULL ALL on_change crate::settings::internal_encoding_changed
 * @ini mbstring.http_input NULL ALL on_change crate::settings::http_input_changed
 * @ini mbstring.http_output NULL ALL on_change crate::settings::http_output_changed
 * @ini mbstring.encoding_translation "0" PERDIR
 * @ini mbstring.detect_order NULL ALL on_change crate::settings::detect_order_changed
 * @ini mbstring.substitute_character NULL ALL on_change crate::settings::substitute_character_changed
 * @ini mbstring.strict_detection "0" ALL
 * @ini mbstring.http_output_conv_mimetypes "^(text/|application/xhtml\+xml)" ALL
 */

function mb_internal_encoding(?string $encoding = null): string|bool {}

function mb_http_input(?string $type = null): array|string|false {}

function mb_http_output(?string $encoding = null): string|bool {}

function mb_language(?string $language = null): string|bool {}

function mb_substitute_character(string|int|null $substitute_character = null): string|int|bool {}

function mb_detect_order(array|string|null $encoding = null): array|bool {}

function mb_get_info(string $type = "all"): array|string|int|false|null {}

function mb_parse_str(string $string, &$result): bool {}
