<?php

// Adding and taking elements in place.

function array_push(array &$array, mixed ...$values): int {}

function array_pop(array &$array): mixed {}

function array_shift(array &$array): mixed {}

function array_unshift(array &$array, mixed ...$values): int {}

function array_splice(array &$array, int $offset, ?int $length = null, mixed $replacement = []): array {}
