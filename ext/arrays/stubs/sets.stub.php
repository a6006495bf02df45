<?php

// Differences, intersections and unique values.

/** @unchecked $arrays */
function array_diff(array $array, array ...$arrays): array {}

function array_diff_key(array $array, array ...$arrays): array {}

function array_diff_assoc(array $array, array ...$arrays): array {}

/** @unchecked $array */
function array_diff_ukey(array $array, ...$rest): array {}

/** @unchecked $array */
function array_diff_uassoc(array $array, ...$rest): array {}

/** @unchecked $array */
function array_udiff(array $array, ...$rest): array {}

/** @unchecked $array */
function array_udiff_assoc(array $array, ...$rest): array {}

/** @unchecked $array */
function array_udiff_uassoc(array $array, ...$rest): array {}

/** @unchecked $arrays */
function array_intersect(array $array, array ...$arrays): array {}

function array_intersect_key(array $array, array ...$arrays): array {}

function array_intersect_assoc(array $array, array ...$arrays): array {}

/** @unchecked $array */
function array_intersect_ukey(array $array, ...$rest): array {}

/** @unchecked $array */
function array_intersect_uassoc(array $array, ...$rest): array {}

/** @unchecked $array */
function array_uintersect(array $array, ...$rest): array {}

/** @unchecked $array */
function array_uintersect_assoc(array $array, ...$rest): array {}

/** @unchecked $array */
function array_uintersect_uassoc(array $array, ...$rest): array {}

function array_unique(array $array, int $flags = SORT_STRING): array {}
