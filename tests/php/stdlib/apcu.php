<?php
// The cache on the command line, where it is off unless asked for: the functions say so quietly.

var_dump(apcu_enabled(), apcu_store('a', 1), apcu_fetch('a', $found), $found, apcu_add('a', 1), apcu_exists('a'));
var_dump(apcu_inc('a', 1, $done), $done, apcu_dec('a'), apcu_cas('a', 1, 2), apcu_delete('a'), apcu_entry('a', fn() => 5), apcu_clear_cache());
var_dump(apcu_cache_info(), apcu_sma_info(true), apcu_key_info('a'));
try {
    new APCUIterator();
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
