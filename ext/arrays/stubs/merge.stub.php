<?php

// Merging and replacing.

function array_merge(array ...$arrays): array {}

function array_merge_recursive(array ...$arrays): array {}

function array_replace(array $array, array ...$replacements): array {}

function array_replace_recursive(array $array, array ...$replacements): array {}
