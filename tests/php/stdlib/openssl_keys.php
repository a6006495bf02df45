<?php
// Keys: numbers in and out, PEM, signatures, RSA, envelopes, agreement.

$conf = ['config' => __DIR__ . '/inc/openssl.cnf'];
foreach ([['private_key_type' => OPENSSL_KEYTYPE_RSA, 'private_key_bits' => 1024], ['private_key_type' => OPENSSL_KEYTYPE_EC, 'curve_name' => 'prime256v1'],
    ['private_key_type' => OPENSSL_KEYTYPE_ED25519], ['private_key_type' => OPENSSL_KEYTYPE_X25519]] as $options) {
    $key = openssl_pkey_new($options + $conf);
    $details = openssl_pkey_get_details($key);
    $kind = array_keys($details)[2];
    echo $kind, ' ', $details['bits'], ' ', $details['type'], ' ', implode(',', array_keys($details[$kind])), "\n";
    openssl_pkey_export($key, $pem, null, $conf);
    echo strtok($pem, "\n"), "\n";
    openssl_pkey_export($key, $locked, "secret", $conf);
    echo strtok($locked, "\n"), "\n";
    var_dump(openssl_pkey_get_private($locked, "wrong"), openssl_pkey_get_details(openssl_pkey_get_private($locked, "secret")) == $details);
    var_dump(openssl_pkey_get_details(openssl_pkey_new([$kind => $details[$kind]] + $conf)) == $details);
    $public = openssl_pkey_get_public($details['key']);
    if ($kind != 'x25519') {
        $algorithm = $kind == 'ed25519' ? 0 : OPENSSL_ALGO_SHA256;
        var_dump(openssl_sign("message", $signature, $key, $algorithm));
        var_dump(openssl_verify("message", $signature, $public, $algorithm), openssl_verify("other", $signature, $public, $algorithm));
    } else {
        $other = openssl_pkey_new($options + $conf);
        $other_public = openssl_pkey_get_public(openssl_pkey_get_details($other)['key']);
        var_dump(openssl_pkey_derive($other_public, $key) === openssl_pkey_derive($public, $other));
    }
    if ($kind == 'rsa') {
        foreach ([OPENSSL_PKCS1_PADDING, OPENSSL_PKCS1_OAEP_PADDING] as $padding) {
            openssl_public_encrypt("hidden", $crypted, $public, $padding);
            openssl_private_decrypt($crypted, $plain, $key, $padding);
            var_dump($plain);
        }
        openssl_private_encrypt("signed", $crypted, $key);
        openssl_public_decrypt($crypted, $plain, $public);
        var_dump($plain);
        var_dump(openssl_seal("for all of you", $sealed, $envelopes, [$public, $public], 'aes-128-cbc', $iv), count($envelopes), strlen($iv));
        var_dump(openssl_open($sealed, $opened, $envelopes[1], $key, 'aes-128-cbc', $iv), $opened);
        $spki = openssl_spki_new($key, "challenge", OPENSSL_ALGO_SHA256);
        var_dump(openssl_spki_verify(substr($spki, 6)), openssl_spki_export_challenge(substr($spki, 6)));
        var_dump(openssl_spki_export(substr($spki, 6)) === $details['key']);
    }
}
var_dump(openssl_pkey_get_public($key), openssl_sign("x", $s, $public), openssl_sign("x", $s, "no key"), openssl_sign("x", $s, $key, "no such"));
try {
    openssl_pkey_get_private(["alone"]);
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
try {
    clone $key;
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
var_dump(openssl_pkey_new(['private_key_bits' => 100] + $conf), openssl_pkey_new(['ec' => ['curve_name' => 'none']]), openssl_pkey_new(['ec' => []]));
var_dump(in_array('prime256v1', openssl_get_curve_names()));
