<?php

class AssertionError extends Error {}

/** @deprecated */
const ASSERT_ACTIVE = 1;
/** @deprecated */
const ASSERT_CALLBACK = 2;
/** @deprecated */
const ASSERT_BAIL = 3;
/** @deprecated */
const ASSERT_WARNING = 4;
/** @deprecated */
const ASSERT_EXCEPTION = 5;

function assert(mixed $assertion, Throwable|string|null $description = null): bool {}

/** @absent $value */
#[\Deprecated(since: '8.3')]
function assert_options(int $option, mixed $value = UNKNOWN): mixed {}

/*
 * @ini assert.active "1" ALL on_change crate::assertion::turned_off
 * @ini assert.bail "0" ALL on_change crate::assertion::turned_on
 * @ini assert.callback NULL ALL on_change crate::assertion::callback_changed
 * @ini assert.exception "1" ALL on_change crate::assertion::exception_turned_off
 * @ini assert.warning "1" ALL on_change crate::assertion::warning_turned_off
 */
