<?php

const INFO_GENERAL = 1;
const INFO_CREDITS = 2;
const INFO_CONFIGURATION = 4;
const INFO_MODULES = 8;
const INFO_ENVIRONMENT = 16;
const INFO_VARIABLES = 32;
const INFO_LICENSE = 64;
const INFO_ALL = 4294967295;

const CREDITS_GROUP = 1;
const CREDITS_GENERAL = 2;
const CREDITS_SAPI = 4;
const CREDITS_MODULES = 8;
const CREDITS_DOCS = 16;
const CREDITS_FULLPAGE = 32;
const CREDITS_QA = 64;
const CREDITS_ALL = 4294967295;

function phpinfo(int $flags = INFO_ALL): true {}
function phpcredits(int $flags = CREDITS_ALL): true {}
