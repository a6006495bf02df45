<?php

function iptcparse(string $iptc_block): array|false {}

function iptcembed(string $iptc_data, string $filename, int $spool = 0): string|bool {}
