<?php
// ArgumentCountError and TypeError of builtins (hash random): too few, too many, each argument of a wrong type.
// Written from the signatures: names, types and defaults as stock PHP 8.4 reports them.

function t(string $call, Closure $f): void
{
    try {
        $r = $f();
        echo $call, ' returned ', get_debug_type($r), "\n";
    } catch (Throwable $e) {
        echo $call, ' ', $e::class, ': ', $e->getMessage(), "\n";
    }
}
set_error_handler(function (int $no, string $msg): bool { echo "<$msg> "; return true; });
t('hash too few', fn() => hash('a'));
t('hash too many', fn() => hash('a', 'a', true, [], null));
t('hash #1', fn() => hash([], 'a'));
t('hash #2', fn() => hash('a', []));
t('hash #3', fn() => hash('a', 'a', []));
t('hash #4', fn() => hash('a', 'a', true, 'str'));
t('hash_algos too many', fn() => hash_algos(null));
t('hash_equals too few', fn() => hash_equals('a'));
t('hash_equals too many', fn() => hash_equals('a', 'a', null));
t('hash_equals #1', fn() => hash_equals([], 'a'));
t('hash_equals #2', fn() => hash_equals('a', []));
t('hash_file too few', fn() => hash_file('a'));
t('hash_file too many', fn() => hash_file('a', 'a', true, [], null));
t('hash_file #1', fn() => hash_file([], 'a'));
t('hash_file #2', fn() => hash_file('a', []));
t('hash_file #3', fn() => hash_file('a', 'a', []));
t('hash_file #4', fn() => hash_file('a', 'a', true, 'str'));
t('hash_final too few', fn() => hash_final());
t('hash_final too many', fn() => hash_final(hash_init('md5'), true, null));
t('hash_final #1', fn() => hash_final('str'));
t('hash_final #2', fn() => hash_final(hash_init('md5'), []));
t('hash_hmac too few', fn() => hash_hmac('a', 'a'));
t('hash_hmac too many', fn() => hash_hmac('a', 'a', 'a', true, null));
t('hash_hmac #1', fn() => hash_hmac([], 'a', 'a'));
t('hash_hmac #2', fn() => hash_hmac('a', [], 'a'));
t('hash_hmac #3', fn() => hash_hmac('a', 'a', []));
t('hash_hmac #4', fn() => hash_hmac('a', 'a', 'a', []));
t('hash_hmac_algos too many', fn() => hash_hmac_algos(null));
t('hash_init too few', fn() => hash_init());
t('hash_init too many', fn() => hash_init('a', 1, 'a', [], null));
t('hash_init #1', fn() => hash_init([]));
t('hash_init #2', fn() => hash_init('a', []));
t('hash_init #3', fn() => hash_init('a', 1, []));
t('hash_init #4', fn() => hash_init('a', 1, 'a', 'str'));
t('hash_pbkdf2 too few', fn() => hash_pbkdf2('a', 'a', 'a'));
t('hash_pbkdf2 too many', fn() => hash_pbkdf2('a', 'a', 'a', 1, 1, true, [], null));
t('hash_pbkdf2 #1', fn() => hash_pbkdf2([], 'a', 'a', 1));
t('hash_pbkdf2 #2', fn() => hash_pbkdf2('a', [], 'a', 1));
t('hash_pbkdf2 #3', fn() => hash_pbkdf2('a', 'a', [], 1));
t('hash_pbkdf2 #4', fn() => hash_pbkdf2('a', 'a', 'a', []));
t('hash_pbkdf2 #5', fn() => hash_pbkdf2('a', 'a', 'a', 1, []));
t('hash_pbkdf2 #6', fn() => hash_pbkdf2('a', 'a', 'a', 1, 1, []));
t('hash_pbkdf2 #7', fn() => hash_pbkdf2('a', 'a', 'a', 1, 1, true, 'str'));
t('hash_update too few', fn() => hash_update(hash_init('md5')));
t('hash_update too many', fn() => hash_update(hash_init('md5'), 'a', null));
t('hash_update #1', fn() => hash_update('str', 'a'));
t('hash_update #2', fn() => hash_update(hash_init('md5'), []));
t('mt_getrandmax too many', fn() => mt_getrandmax(null));
t('mt_rand too many', fn() => mt_rand(1, 1, null));
t('mt_rand #1', fn() => mt_rand([]));
t('mt_rand #2', fn() => mt_rand(1, []));
t('mt_srand too many', fn() => mt_srand(1, 1, null));
t('mt_srand #1', fn() => mt_srand([]));
t('mt_srand #2', fn() => mt_srand(1, []));
t('rand too many', fn() => rand(1, 1, null));
t('rand #1', fn() => rand([]));
t('rand #2', fn() => rand(1, []));
t('random_bytes too few', fn() => random_bytes());
t('random_bytes too many', fn() => random_bytes(1, null));
t('random_bytes #1', fn() => random_bytes([]));
t('random_int too few', fn() => random_int(1));
t('random_int too many', fn() => random_int(1, 1, null));
t('random_int #1', fn() => random_int([], 1));
t('random_int #2', fn() => random_int(1, []));
