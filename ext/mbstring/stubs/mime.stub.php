<?php

function mb_decode_mimeheader(string $string): string {}

/**
 * @not-null $charset
 * @not-null $transfer_encoding
 */
function mb_encode_mimeheader(string $string, ?string $charset = null, ?string $transfer_encoding = null, string $newline = "\r\n", int $indent = 0): string {}

function mb_send_mail(string $to, string $subject, string $message, array|string $additional_headers = [], ?string $additional_params = null): bool {}
