<?php
// HAVAL, Tiger with four passes, mhash, and what serialize() says of contexts.
error_reporting(E_ALL & ~E_DEPRECATED);
foreach (hash_algos() as $algo) {
    if (str_starts_with($algo, 'haval') || str_ends_with($algo, ',4')) {
        echo $algo, ' ', hash($algo, ''), ' ', hash_hmac($algo, str_repeat('data', 60), 'key'), "\n";
        $context = hash_init($algo);
        hash_update($context, str_repeat('a', 100));
        $copy = hash_copy($context);
        hash_update($context, str_repeat('a', 155));
        echo hash_final($context) === hash($algo, str_repeat('a', 255)) ? 'same' : 'different', ' ', hash_final($copy), "\n";
    }
}
for ($i = -1; $i <= mhash_count() + 1; $i++) {
    $name = mhash_get_hash_name($i);
    if ($name === false || $name !== 'SNEFRU256') {
        echo $i, ' ', var_export($name, true), ' ', var_export(mhash_get_block_size($i), true), ' ', bin2hex((string) mhash($i, 'x')), "\n";
    }
}
echo bin2hex(mhash(MHASH_MD5, 'a', 'key')), ' ', bin2hex(mhash_keygen_s2k(MHASH_SHA1, 'password', 'longer than eight', 50)), "\n";
foreach ([fn() => mhash(MHASH_CRC32, 'a', 'k'), fn() => mhash_keygen_s2k(MHASH_MD5, 'a', 'b', 0), fn() => mhash_keygen_s2k(99, 'a', 'b', 1)] as $f) {
    try {
        var_dump($f());
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
error_reporting(E_ALL);
mhash_count();
hash('xxh3', 'a', options: ['seed' => '1']);
hash('xxh32', 'a', options: ['seed' => '1']);
foreach ([hash_init('gost'), hash_init('md5', HASH_HMAC, 'k')] as $context) {
    hash_final($context);
    try {
        serialize($context);
    } catch (Exception $e) {
        echo $e->getMessage(), "\n";
    }
}
class Many implements Countable { #[ReturnTypeWillChange] function count() { return new stdClass; } }
var_dump(count(new Many));
