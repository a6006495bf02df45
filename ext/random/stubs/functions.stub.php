<?php

const MT_RAND_MT19937 = 0;
/** @deprecated */
const MT_RAND_PHP = 1;

function getrandmax(): int {}

#[\Deprecated(since: '8.4', message: 'use \Random\Randomizer::getFloat() instead')]
function lcg_value(): float {}

/** @alias getrandmax */
function mt_getrandmax(): int {}

/** @all-or-none */
function mt_rand(int $min = UNKNOWN, int $max = UNKNOWN): int {}

function mt_srand(?int $seed = null, int $mode = MT_RAND_MT19937): void {}

/** @all-or-none */
function rand(int $min = UNKNOWN, int $max = UNKNOWN): int {}

function random_bytes(int $length): string {}

function random_int(int $min, int $max): int {}

/** @alias mt_srand */
function srand(?int $seed = null, int $mode = MT_RAND_MT19937): void {}
