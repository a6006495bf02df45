<?php

function chunk_split(string $string, int $length = 76, string $separator = "\r\n"): string {}

/** @foldable */
function levenshtein(string $string1, string $string2, int $insertion_cost = 1, int $replacement_cost = 1, int $deletion_cost = 1): int {}

function metaphone(string $string, int $max_phonemes = 0): string {}

/** @foldable */
function nl2br(string $string, bool $use_xhtml = true): string {}

/** @foldable */
function similar_text(string $string1, string $string2, &$percent = null): int {}

/** @foldable */
function soundex(string $string): string {}

function str_decrement(string $string): string {}

function str_increment(string $string): string {}

function str_ireplace(array|string $search, array|string $replace, array|string $subject, &$count = null): array|string {}

function str_replace(array|string $search, array|string $replace, array|string $subject, &$count = null): array|string {}

/** @foldable */
function str_rot13(string $string): string {}

/**
 * @unchecked $from
 * @unchecked $to
 */
function strtr(string $string, array|string $from, ?string $to = null): string {}

function wordwrap(string $string, int $width = 75, string $break = "\n", bool $cut_long_words = false): string {}
