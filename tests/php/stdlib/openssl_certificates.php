<?php
// Requests, certificates, chains, PKCS#12, PKCS#7 and CMS.

$conf = ['config' => __DIR__ . '/inc/openssl.cnf', 'digest_alg' => 'sha256'];
$folder = sys_get_temp_dir() . '/openssl-' . getmypid();
mkdir($folder);
$ca_key = openssl_pkey_new($conf);
$ca_request = openssl_csr_new(['commonName' => 'Authority', 'countryName' => 'DE'], $ca_key, $conf);
$ca = openssl_csr_sign($ca_request, null, $ca_key, 10, $conf, 1);
$key = null;
$request = openssl_csr_new(['commonName' => 'Zoë', 'organizationalUnitName' => ['one', 'two'], 'none' => 'x'], $key, $conf);
var_dump($key, openssl_csr_get_subject($request), openssl_csr_get_subject($request, false)['commonName']);
var_dump(openssl_pkey_get_details(openssl_csr_get_public_key($request))['key'] === openssl_pkey_get_details($key)['key']);
$cert = openssl_csr_sign($request, $ca, $ca_key, 10, ['x509_extensions' => 'server'] + $conf, 0, 'CAFE');
$parsed = openssl_x509_parse($cert);
echo $parsed['name'], ' ', $parsed['serialNumber'], ' ', $parsed['serialNumberHex'], ' ', $parsed['version'], ' ', $parsed['signatureTypeLN'], "\n";
print_r($parsed['issuer']);
print_r($parsed['extensions']);
var_dump($parsed['validTo_time_t'] - $parsed['validFrom_time_t'], strlen($parsed['hash']), $parsed['purposes'][1]);
var_dump(openssl_x509_check_private_key($cert, $key), openssl_x509_check_private_key($cert, $ca_key));
var_dump(openssl_x509_verify($cert, openssl_pkey_get_public($ca)), openssl_x509_verify($cert, openssl_pkey_get_public($cert)));
openssl_x509_export_to_file($ca, "$folder/ca.pem");
openssl_x509_export($cert, $pem);
openssl_x509_export($cert, $text, false);
var_dump(str_ends_with($text, $pem), str_starts_with($text, 'Certificate:'), strlen(openssl_x509_fingerprint($pem, 'sha256')));
var_dump(openssl_x509_checkpurpose($cert, X509_PURPOSE_SSL_SERVER, ["$folder/ca.pem"]), openssl_x509_checkpurpose($cert, X509_PURPOSE_ANY, ["/none/missing"]));
openssl_pkcs12_export($cert, $p12, $key, "pass", ['extracerts' => [$ca], 'friendly_name' => 'mine']);
var_dump(openssl_pkcs12_read($p12, $contents, "wrong"), openssl_pkcs12_read($p12, $contents, "pass"), array_keys($contents), $contents['cert'] === $pem);

file_put_contents("$folder/mail.txt", "Hello\n");
foreach (['pkcs7', 'cms'] as $kind) {
    var_dump("openssl_{$kind}_sign"("$folder/mail.txt", "$folder/signed", $cert, $key, ['To' => 'you'], $kind == 'pkcs7' ? PKCS7_DETACHED : 0));
    var_dump(strtok(file_get_contents("$folder/signed"), "\n"));
    var_dump("openssl_{$kind}_verify"("$folder/signed", 0, "$folder/signers", ["$folder/ca.pem"]));
    var_dump("openssl_{$kind}_verify"("$folder/signed", 0));
    var_dump("openssl_{$kind}_encrypt"("$folder/mail.txt", "$folder/crypted", [$cert, $ca], ['To' => 'you']));
    var_dump("openssl_{$kind}_decrypt"("$folder/crypted", "$folder/plain", $cert, $key), file_get_contents("$folder/plain"));
    var_dump("openssl_{$kind}_read"("nothing", $list));
}
var_dump(openssl_x509_read("nothing"), openssl_x509_parse("nothing"), openssl_csr_sign("nothing", null, $key, 1), openssl_csr_sign($request, null, $key, -1));
try {
    openssl_x509_read("file://a\0b");
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
array_map('unlink', glob("$folder/*"));
rmdir($folder);
