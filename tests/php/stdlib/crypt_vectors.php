<?php
// Password hashes: each form with short, long and odd settings; what stock PHP made must verify, and nothing else.
$passwords = ['', 'a', 'password', "p\xC3\xA4ss", str_repeat('x', 71), str_repeat('x', 72), str_repeat('x', 73), str_repeat('long ', 60), "nul\0tail"];
$settings = [
    '$2y$04$abcdefghijklmnopqrstuu', '$2a$05$......................', '$2b$04$ZZZZZZZZZZZZZZZZZZZZZ9', '$2y$04$abcdefghijklmnopqrstuv',
    '$2z$04$abcdefghijklmnopqrstuu', '$2y$03$abcdefghijklmnopqrstuu', '$2y$4$abcdefghijklmnopqrstuu', '$2y$04$abcdefghijklmnopqrst!u', '$2y$04',
    '$1$', '$1$salt', '$1$saltsalt$', '$1$saltsaltsalt$x',
    '$5$salt', '$5$rounds=1000$salt$', '$5$rounds=1001$saltsaltsaltsaltsalt', '$5$rounds=999$salt', '$5$rounds=x$salt',
    '$6$salt', '$6$rounds=1000$salt$', '$6$rounds=1234$saltsaltsaltsaltsalt', '$6$',
    'rl', 'zz', '..', '_J9..rasm', '_0...salt', '_zz..abcd', '*0', '*1', '!!',
];
foreach ($settings as $setting) {
    foreach ($passwords as $password) {
        $hash = crypt($password, $setting);
        echo $setting, ' ', strlen($password), ' ', $hash, ' ', var_export(password_verify($password, $hash), true), ' ',
            var_export(password_verify($password . 'y', $hash), true), "\n";
    }
}
foreach ([4, 5, 6] as $cost) {
    $hash = password_hash('secret', PASSWORD_BCRYPT, ['cost' => $cost]);
    var_dump(strlen($hash), substr($hash, 0, 7), password_verify('secret', $hash), password_verify('Secret', $hash));
}
foreach ([
    '$argon2id$v=19$m=64,t=2,p=1$dDJRZ1BCZWlCWDVLWTluNQ$+nKiZwuWlx6vJYpmdPpX/3B9ieBf2ins2NpF5TTrAmU',
    '$argon2i$v=19$m=64,t=1,p=1$OExjNHhPUnNNQkExMExDTQ$ll7cWVqfXFkcLYyyXuZhXRLY7E2EF/k0fWqO2WkuwEk',
] as $hash) {
    var_dump(password_verify('pw', $hash), password_verify('Pw', $hash), password_verify('pw', substr($hash, 0, -1)));
}
foreach ([PASSWORD_ARGON2I, PASSWORD_ARGON2ID] as $algorithm) {
    $hash = password_hash('secret', $algorithm, ['memory_cost' => 128, 'time_cost' => 2]);
    var_dump(password_verify('secret', $hash), password_verify('Secret', $hash), password_get_info($hash)['algoName']);
}
foreach (['md5', 'sha1', 'sha256', 'sha512', 'whirlpool'] as $algorithm) {
    foreach ([[1, 0], [2, 20], [255, 20], [256, 100], [257, 7], [1000, 500]] as [$iterations, $length]) {
        echo $algorithm, ' ', $iterations, ' ', hash_pbkdf2($algorithm, 'password', 'salt', $iterations, $length), "\n";
    }
}
foreach (['sha1', 'sha256', 'sha512'] as $algorithm) {
    foreach ([[1, 20], [2, 20], [1000, 20], [5000, 100], [4097, 33]] as [$iterations, $length]) {
        echo $algorithm, ' ', $iterations, ' ', bin2hex(openssl_pbkdf2('password', 'salt', $length, $iterations, $algorithm)), "\n";
    }
}
var_dump(openssl_pbkdf2('', '', 40, 5000, 'sha256') === hash_pbkdf2('sha256', '', '', 5000, 40, true));
// Pieces of long inputs.
$s = str_repeat('0123456789abcdef', 20_000);
foreach (['md5', 'sha256', 'crc32b', 'adler32', 'xxh3', 'murmur3f', 'fnv1a64', 'joaat'] as $algorithm) {
    foreach ([65535, 65536, 65537, 320000] as $length) {
        echo $algorithm, ' ', hash($algorithm, substr($s, 0, $length)), "\n";
    }
}
foreach ([65535, 65536, 65537, 320000] as $length) {
    $part = substr($s, 0, $length);
    echo md5($part), ' ', sha1($part), ' ', crc32($part), ' ', hash_hmac('sha256', $part, 'key'), ' ', bin2hex(mhash(MHASH_SHA1, $part, 'key')), "\n";
    $context = hash_init('sha1');
    hash_update($context, $part);
    hash_update($context, $part);
    echo hash_final($context), ' ', openssl_digest($part, 'sha256'), "\n";
}
echo bin2hex(mhash_keygen_s2k(MHASH_SHA1, 'password', 'salt', 100)), "\n";
var_dump(similar_text(str_repeat('ab', 300), str_repeat('ba', 300), $percent), round($percent, 3), levenshtein(str_repeat('ab', 300), str_repeat('bc', 400)));
