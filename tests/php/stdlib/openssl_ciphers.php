<?php
// Symmetric ciphers, digests, PBKDF2: known answers, tags, bad input.

$key = str_repeat("k", 16);
$iv = str_repeat("i", 16);
foreach (['aes-128-cbc', 'AES-128-CTR', 'aes-128-ecb', 'aes-128-cfb8', 'camellia-128-cbc', 'des-ede3-cbc', 'aes-256-cbc'] as $name) {
    $iv_of = substr($iv, 0, openssl_cipher_iv_length($name));
    $out = openssl_encrypt("attack at dawn", $name, $key, OPENSSL_RAW_DATA, $iv_of);
    echo $name, ' ', bin2hex($out), ' ', openssl_decrypt($out, $name, $key, OPENSSL_RAW_DATA, $iv_of), ' ', openssl_cipher_key_length($name), "\n";
}
foreach (['aes-128-gcm', 'aes-256-gcm', 'chacha20-poly1305', 'aes-128-ccm', 'aes-128-ocb'] as $name) {
    $nonce = str_repeat("n", 12);
    $out = openssl_encrypt("attack at dawn", $name, $key, 0, $nonce, $tag, "header", 12);
    echo $name, ' ', $out, ' ', bin2hex($tag), ' ';
    var_dump(openssl_decrypt($out, $name, $key, 0, $nonce, $tag, "header"));
    var_dump(openssl_decrypt($out, $name, $key, 0, $nonce, $tag, "other"));
    var_dump(openssl_decrypt($out, $name, $key, 0, $nonce, strrev($tag), "header"));
}
var_dump(openssl_encrypt("x", "aes-128-cbc", "short", 0, "tiny"));
var_dump(openssl_encrypt("x", "aes-128-cbc", str_repeat("long", 20), 0, $iv . "more"));
var_dump(openssl_encrypt("not a block", "aes-128-cbc", $key, OPENSSL_ZERO_PADDING, $iv));
var_dump(openssl_error_string());
var_dump(openssl_error_string());
var_dump(openssl_decrypt("bad", "aes-128-cbc", $key, 0, $iv));
var_dump(openssl_encrypt("x", "no such", $key), openssl_encrypt("x", "aes-128-gcm", $key, 0, "123456789012"));
foreach ([fn() => openssl_cipher_iv_length(''), fn() => openssl_pbkdf2("p", "s", 0, 1), fn() => openssl_random_pseudo_bytes(0)] as $call) {
    try {
        $call();
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
echo openssl_digest("abc", "sha256"), ' ', openssl_digest("abc", "md5"), ' ', bin2hex(openssl_digest("abc", "SHA3-256", true)), "\n";
echo bin2hex(openssl_pbkdf2("password", "salt", 20, 4096, "sha1")), ' ', bin2hex(openssl_pbkdf2("password", "salt", 32, 1000, "sha256")), "\n";
var_dump(strlen(openssl_random_pseudo_bytes(40, $strong)), $strong);
var_dump(in_array('aes-256-gcm', openssl_get_cipher_methods()), in_array('sha256', openssl_get_md_methods()));
