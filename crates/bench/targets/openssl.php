<?php
// A page that does nothing but count: 50,000 rounds of encryption and decryption, as in Pagely's test of numbers of workers.
$rounds = 50000;
$key = hash('sha256', 'jumbo bench', true);
$iv = substr(hash('sha256', 'initialisation', true), 0, 16);
$text = 'The quick brown fox jumps over the lazy dog';
for ($round = 0; $round < $rounds; $round++) {
    $secret = openssl_encrypt($text, 'aes-256-cbc', $key, OPENSSL_RAW_DATA, $iv);
    $plain = openssl_decrypt($secret, 'aes-256-cbc', $key, OPENSSL_RAW_DATA, $iv);
    if ($plain !== $text) {
        http_response_code(500);
        exit("round $round is wrong\n");
    }
}
echo $rounds, ' rounds ', md5($secret), "\n";
