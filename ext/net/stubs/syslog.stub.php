<?php

const LOG_EMERG = 0;
const LOG_ALERT = 1;
const LOG_CRIT = 2;
const LOG_ERR = 3;
const LOG_WARNING = 4;
const LOG_NOTICE = 5;
const LOG_INFO = 6;
const LOG_DEBUG = 7;
const LOG_KERN = 0;
const LOG_USER = 8;
const LOG_MAIL = 16;
const LOG_DAEMON = 24;
const LOG_AUTH = 32;
const LOG_SYSLOG = 40;
const LOG_LPR = 48;
const LOG_NEWS = 56;
const LOG_UUCP = 64;
const LOG_CRON = 72;
const LOG_AUTHPRIV = 80;
const LOG_LOCAL0 = 128;
const LOG_LOCAL1 = 136;
const LOG_LOCAL2 = 144;
const LOG_LOCAL3 = 152;
const LOG_LOCAL4 = 160;
const LOG_LOCAL5 = 168;
const LOG_LOCAL6 = 176;
const LOG_LOCAL7 = 184;
const LOG_PID = 1;
const LOG_CONS = 2;
const LOG_ODELAY = 4;
const LOG_NDELAY = 8;
const LOG_NOWAIT = 16;
const LOG_PERROR = 32;

function openlog(string $prefix, int $flags, int $facility): true {}

function closelog(): true {}

function syslog(int $priority, string $message): true {}
