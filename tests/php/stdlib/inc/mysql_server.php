<?php
// A server of the protocol that knows a few queries, for tests of its clients. Prints its port, serves connections one after the other,
// ends with the one that sends "stop".

function packet(int &$number, string $content): string
{
    return substr(pack('V', strlen($content)), 0, 3) . chr($number++) . $content;
}

function text(string $text): string
{
    return chr(strlen($text)) . $text;
}

function column(string $name, int $type, int $flags = 0): string
{
    return text('def') . text('db') . text('t') . text('t') . text($name) . text($name) . "\x0c" . pack('vVCvCv', 45, 20, $type, $flags, 0, 0);
}

const OK = "\0\1\7\2\0\0\0";
const END = "\xfe\0\0\2\0";

function receive($client): ?string
{
    $head = (string) fread($client, 4);
    if (strlen($head) < 4) {
        return null;
    }
    $len = unpack('V', substr($head, 0, 3) . "\0")[1];
    $content = '';
    while (strlen($content) < $len && !feof($client)) {
        $content .= fread($client, $len - strlen($content));
    }
    return $content;
}

function answer(string $sql): array
{
    return match ($sql) {
        'rows' => ["\2", column('id', 3), column('name', 253), END, text('1') . text('one'), text('2') . "\xfb", END],
        'numbers' => ["\3", column('i', 8), column('f', 5), column('b', 16), END, text('42') . text('1.5') . text("\5"), END],
        'done' => ["\0\3\xfc\x2c\1\2\0\1\0" . text('Rows matched: 3')],
        'fail' => ["\xff" . pack('v', 1064) . '#42000You have an error'],
        'broken' => ["\1", column('id', 3), END, "\x50too short", END],
        'half' => ["\1", column('id', 3), END, text('1'), null],
        'gone' => [null],
        default => [OK],
    };
}

$server = stream_socket_server('tcp://127.0.0.1:0');
echo substr(strrchr(stream_socket_get_name($server, false), ':'), 1), "\n";
for (;;) {
    $client = stream_socket_accept($server, 30);
    if (!$client) {
        exit(1);
    }
    $number = 0;
    $greeting = "\x0a8.0.99-test\0" . pack('V', 7) . "abcdefgh\0" . pack('vCvvC', 0xf7ff, 45, 2, 0x001f, 21) . str_repeat("\0", 10) . "ijklmnopqrst\0mysql_native_password\0";
    fwrite($client, packet($number, $greeting));
    if (receive($client) === null) {
        continue;
    }
    $number = 2;
    fwrite($client, packet($number, OK));
    while (($command = receive($client)) !== null && $command !== '' && $command[0] !== "\1") {
        $number = 1;
        $sql = substr($command, 1);
        if ($sql === 'stop') {
            exit;
        }
        foreach ($command[0] === "\3" ? answer($sql) : [OK] as $content) {
            if ($content === null) {
                fclose($client);
                continue 3;
            }
            fwrite($client, packet($number, $content));
        }
    }
}
