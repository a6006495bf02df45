<?php
// md5, sha1, crc32, hash, hmac, incremental hashing, pbkdf2, hkdf, password_*, hash_equals.
require __DIR__ . '/inc/show.php';
each('md5', [''], ['abc'], ['é']);
show('raw', bin2hex(md5('abc', true)), bin2hex(sha1('abc', true)));
each('sha1', [''], ['abc']);
each('crc32', [''], ['abc'], ['The quick brown fox jumped over the lazy dog.']); foreach (['md5', 'sha1', 'sha256', 'sha384', 'sha512', 'sha224', 'sha512/256', 'sha3-256', 'sha3-512', 'crc32', 'crc32b', 'crc32c', 'adler32', 'fnv132', 'fnv1a32', 'fnv164', 'fnv1a64', 'joaat', 'xxh32', 'xxh64', 'xxh3', 'xxh128', 'murmur3a', 'murmur3c', 'murmur3f', 'md4', 'ripemd160', 'whirlpool', 'tiger192,3', 'gost', 'snefru', 'haval128,3', 'md2'] as $a) show($a, hash($a, ''), hash($a, 'The quick brown fox jumps over the lazy dog'));
each('hash', ['nope', 'x'], ['SHA256', 'x'], ['xxh32', 'a', false, ['seed' => 42]], ['murmur3a', 'a', false, ['seed' => 1]]);
each('hash_hmac', ['sha256', 'data', 'key'], ['md5', '', ''], ['crc32b', 'x', 'k'], ['sha1', 'data', str_repeat('k', 100)]); $h = hash_init('sha256'); hash_update($h, 'The quick '); $c = hash_copy($h); hash_update($h, 'brown fox');
show('incremental', hash_final($h), hash('sha256', 'The quick brown fox'), hash_final($c) === hash('sha256', 'The quick '));
try { hash_update($h, 'x'); } catch (Error $e) { echo $e->getMessage(), "\n"; } $h = hash_init('md5', HASH_HMAC, 'key'); hash_update($h, 'data');
show('hmac', hash_final($h), hash_hmac('md5', 'data', 'key'));
each('hash_pbkdf2', ['sha256', 'password', 'salt', 100, 20], ['sha1', 'password', 'salt', 2, 20], ['sha1', 'p', 's', 0]);
show('hkdf', bin2hex(hash_hkdf('sha256', 'key', 16, 'info', 'salt')));
show('algos', in_array('sha256', hash_algos()), in_array('crc32b', hash_hmac_algos())); $p = password_hash('secret', PASSWORD_BCRYPT, ['cost' => 4]);
show('password', strlen($p), substr($p, 0, 7), password_verify('secret', $p), password_verify('wrong', $p), password_get_info($p), password_needs_rehash($p, PASSWORD_BCRYPT, ['cost' => 5]), password_needs_rehash($p, PASSWORD_BCRYPT, ['cost' => 4]));
show('known', password_verify('rasmuslerdorf', '$2y$07$BCryptRequires22Chrcte/VlQH0piJtjXl.0t1XkA8pw9dMXTTOq'));
show('crypt', crypt('rasmuslerdorf', '$2a$07$usesomesillystringforsalt$'), crypt('rasmuslerdorf', '$6$rounds=5000$usesomesillystringforsalt$'), crypt('rasmuslerdorf', '$5$rounds=5000$usesomesillystringforsalt$'), crypt('rasmuslerdorf', '$1$rasmusle$'), crypt('rasmuslerdorf', 'rl')); $f = tempnam(sys_get_temp_dir(), 'hsh'); file_put_contents($f, 'file data');
show('files', md5_file($f), sha1_file($f), hash_file('crc32b', $f), @md5_file('/nonexistent')); unlink($f);
each('base64_encode', [hash('crc32b', 'x', true)]);
each('crc32', [str_repeat('a', 1000)]);
each('md5', [null], [[]], [5]);
