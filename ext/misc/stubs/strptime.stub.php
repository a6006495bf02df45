<?php

#[\Deprecated(since: "8.2", message: "use date_parse_from_format() (for locale-independent parsing), or IntlDateFormatter::parse() (for locale-dependent parsing) instead")]
function strptime(string $timestamp, string $format): array|false {}
