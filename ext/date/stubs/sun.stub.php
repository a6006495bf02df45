<?php

function date_sun_info(int $timestamp, float $latitude, float $longitude): array {}

#[\Deprecated(since: '8.1', message: 'use date_sun_info() instead')]
function date_sunrise(int $timestamp, int $returnFormat = SUNFUNCS_RET_STRING, ?float $latitude = null, ?float $longitude = null, ?float $zenith = null, ?float $utcOffset = null): string|int|float|false {}

#[\Deprecated(since: '8.1', message: 'use date_sun_info() instead')]
function date_sunset(int $timestamp, int $returnFormat = SUNFUNCS_RET_STRING, ?float $latitude = null, ?float $longitude = null, ?float $zenith = null, ?float $utcOffset = null): string|int|float|false {}
