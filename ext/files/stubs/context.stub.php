<?php

function stream_context_create(?array $options = null, ?array $params = null) {}

function stream_context_get_default(?array $options = null) {}

function stream_context_get_options($stream_or_context): array {}

function stream_context_get_params($context): array {}

function stream_context_set_default(array $options) {}

/** @resource $context */
function stream_context_set_option($context, array|string $wrapper_or_options, ?string $option_name = null, mixed $value = UNKNOWN): true {}

/** @resource $context */
function stream_context_set_options($context, array $options): true {}

/** @resource $context */
function stream_context_set_params($context, array $params): true {}

