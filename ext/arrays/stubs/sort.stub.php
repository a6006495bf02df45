<?php

// Sorting.

const SORT_ASC = 4;
const SORT_DESC = 3;
const SORT_REGULAR = 0;
const SORT_NUMERIC = 1;
const SORT_STRING = 2;
const SORT_LOCALE_STRING = 5;
const SORT_NATURAL = 6;
const SORT_FLAG_CASE = 8;

function sort(array &$array, int $flags = SORT_REGULAR): true {}

function rsort(array &$array, int $flags = SORT_REGULAR): true {}

function asort(array &$array, int $flags = SORT_REGULAR): true {}

function arsort(array &$array, int $flags = SORT_REGULAR): true {}

function ksort(array &$array, int $flags = SORT_REGULAR): true {}

function krsort(array &$array, int $flags = SORT_REGULAR): true {}

function usort(array &$array, callable $callback): true {}

function uasort(array &$array, callable $callback): true {}

function uksort(array &$array, callable $callback): true {}

function natsort(array &$array): true {}

function natcasesort(array &$array): true {}

/**
 * @prefer-ref $array
 * @prefer-ref $rest
 */
function array_multisort($array, ...$rest): bool {}
