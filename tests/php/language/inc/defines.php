<?php
const INC_CONST = 'const in include';
function inc_defined() { return __FUNCTION__ . basename(__FILE__); }
class IncClass { const K = 'class in include'; }
