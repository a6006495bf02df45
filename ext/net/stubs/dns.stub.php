<?php

const DNS_ANY = 268435456;
const DNS_ALL = 251721779;
const DNS_A = 1;
const DNS_NS = 2;
const DNS_CNAME = 16;
const DNS_SOA = 32;
const DNS_PTR = 2048;
const DNS_HINFO = 4096;
const DNS_CAA = 8192;
const DNS_MX = 16384;
const DNS_TXT = 32768;
const DNS_SRV = 33554432;
const DNS_NAPTR = 67108864;
const DNS_AAAA = 134217728;
const DNS_A6 = 16777216;

function dns_check_record(string $hostname, string $type = "MX"): bool {}

/** @alias dns_check_record */
function checkdnsrr(string $hostname, string $type = "MX"): bool {}

function dns_get_record(string $hostname, int $type = DNS_ANY, &$authoritative_name_servers = null, &$additional_records = null, bool $raw = false): array|false {}

function dns_get_mx(string $hostname, &$hosts, &$weights = null): bool {}

/** @alias dns_get_mx */
function getmxrr(string $hostname, &$hosts, &$weights = null): bool {}
