<?php

/** @foldable */
function strlen(string $string): int {}

/** @foldable */
function strcmp(string $string1, string $string2): int {}

/** @foldable */
function strncmp(string $string1, string $string2, int $length): int {}

/** @foldable */
function strcasecmp(string $string1, string $string2): int {}

/** @foldable */
function strncasecmp(string $string1, string $string2, int $length): int {}
