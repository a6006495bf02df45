<?php
// TLS over sockets, both sides in one process: handshakes that do not wait, metadata, certificates, names, refusals.

$conf = ['config' => __DIR__ . '/inc/openssl.cnf', 'x509_extensions' => 'server', 'digest_alg' => 'sha256', 'private_key_bits' => 2048];
$key = openssl_pkey_new($conf);
$cert = openssl_csr_sign(openssl_csr_new(['commonName' => 'common.example.com'], $key, $conf), null, $key, 10, $conf);
$file = tempnam(sys_get_temp_dir(), 'tls');
openssl_x509_export($cert, $pem);
openssl_pkey_export($key, $key_pem, null, $conf);
file_put_contents($file, $pem . $key_pem);

function pair(array $client_options, array $server_options): array
{
    $context = stream_context_create(['ssl' => $server_options]);
    $server = stream_socket_server('tcp://127.0.0.1:0', $code, $text, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $context);
    $context = stream_context_create(['ssl' => $client_options]);
    $client = stream_socket_client('tcp://' . stream_socket_get_name($server, false), $code, $text, 5, STREAM_CLIENT_CONNECT, $context);
    $accepted = stream_socket_accept($server);
    stream_set_blocking($client, false);
    stream_set_blocking($accepted, false);
    $a = $b = 0;
    for ($turn = 0; $turn < 1000 && ($a === 0 || $b === 0); $turn++) {
        if ($a === 0) {
            $a = stream_socket_enable_crypto($client, true, STREAM_CRYPTO_METHOD_TLS_CLIENT);
        }
        if ($b === 0 && $a !== false) {
            $b = stream_socket_enable_crypto($accepted, true, STREAM_CRYPTO_METHOD_TLS_SERVER);
        }
        if ($a === false) {
            break;
        }
        usleep(200);
    }
    return [$client, $accepted, $a, $b];
}

[$client, $server, $a, $b] = pair(['cafile' => $file, 'peer_name' => 'localhost', 'capture_peer_cert' => true], ['local_cert' => $file]);
var_dump($a, $b);
$crypto = stream_get_meta_data($client)['crypto'];
echo $crypto['protocol'], ' ', implode(',', array_keys($crypto)), "\n";
var_dump(openssl_x509_fingerprint(stream_context_get_options($client)['ssl']['peer_certificate']) === openssl_x509_fingerprint($cert));
var_dump(fread($server, 10));
stream_set_blocking($client, true);
stream_set_blocking($server, true);
fwrite($client, "one line\nanother\n");
echo fgets($server), fgets($server);
$sent = str_repeat("0123456789abcdef", 2000);
fwrite($server, $sent);
var_dump(stream_get_contents($client, strlen($sent)) === $sent);
fwrite($server, "ahead");
fread($client, 1);
$read = [$client];
$write = $except = null;
var_dump(stream_select($read, $write, $except, 1), fread($client, 100), feof($client));
fclose($server);
var_dump(fread($client, 10), feof($client));

foreach ([
    ['cafile' => $file, 'peer_name' => 'a.example.org'],
    ['cafile' => $file, 'peer_name' => '127.0.0.1'],
    ['cafile' => $file, 'peer_name' => 'common.example.com'],
    ['cafile' => $file, 'peer_name' => 'a.b.example.org'],
    ['verify_peer' => false, 'peer_name' => 'wrong.example.com', 'verify_peer_name' => false],
    ['verify_peer' => false, 'peer_name' => 'localhost', 'peer_fingerprint' => openssl_x509_fingerprint($cert)],
    ['verify_peer' => false, 'peer_name' => 'localhost', 'peer_fingerprint' => ['sha256' => 'no']],
    ['verify_peer' => false, 'peer_name' => 'localhost', 'peer_fingerprint' => []],
    ['verify_peer' => false, 'peer_name' => 'localhost', 'max_proto_version' => STREAM_CRYPTO_PROTO_TLSv1_2],
] as $options) {
    [$client, $server, $a] = pair($options, ['local_cert' => $file]);
    var_dump($a);
    if ($a) {
        echo stream_get_meta_data($client)['crypto']['protocol'], "\n";
    }
}
[$client, $server, $a, $b] = pair(['verify_peer' => false, 'verify_peer_name' => false, 'alpn_protocols' => 'h2,http/1.1'], ['local_cert' => $file, 'alpn_protocols' => 'http/1.1']);
var_dump($a, $b, stream_get_meta_data($client)['crypto']['alpn_protocol']);
var_dump(array_slice(stream_get_transports(), 4), in_array('https', stream_get_wrappers()));
try {
    stream_socket_enable_crypto($client, true);
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
unlink($file);
