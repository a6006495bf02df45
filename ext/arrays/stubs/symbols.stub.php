<?php

// Variables of the calling function.

const EXTR_OVERWRITE = 0;
const EXTR_SKIP = 1;
const EXTR_PREFIX_SAME = 2;
const EXTR_PREFIX_ALL = 3;
const EXTR_PREFIX_INVALID = 4;
const EXTR_PREFIX_IF_EXISTS = 5;
const EXTR_IF_EXISTS = 6;
const EXTR_REFS = 256;

/** @needs-symbols */
function compact($var_name, ...$var_names): array {}

/**
 * @needs-symbols
 * @prefer-ref $array
 * @absent $prefix
 */
function extract(array $array, int $flags = EXTR_OVERWRITE, string $prefix = ""): int {}
