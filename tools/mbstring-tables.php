<?php
// Writes ext/mbstring/data/tables/*.tbl: what stock PHP's multi-byte encodings map, asked of mb_convert_encoding itself.
//
//   tools/oracle.sh php tools/mbstring-tables.php ext/mbstring/data/tables
//
// A table is raw deflate of LEB128 numbers (see ext/mbstring/src/table.rs): runs of consecutive byte sequences with
// one code point each; sequences with several; and what encoding does other than the inverse of decoding.
// A byte sequence is its bytes as one big-endian number; for encodings with shift states the number of the character
// set stands above them (set << 16); for those on top of UTF-8 it is the code point.

error_reporting(E_ALL & ~E_DEPRECATED);
const BAD = 0x10FFFF;
mb_substitute_character(BAD);

function conv(string $s, string $to, string $from): string { return mb_convert_encoding($s, $to, $from); }
function codes(string $s, string $from): array { return array_values(unpack('N*', conv($s, 'UTF-32BE', $from))); }
function bytes(int $n): string {
    $s = '';
    do { $s = chr($n & 255) . $s; $n >>= 8; } while ($n);
    return $s;
}
function num(int $n): string {
    $s = '';
    do { $b = $n & 127; $n >>= 7; $s .= chr($n ? $b | 128 : $b); } while ($n);
    return $s;
}
function signed(int $n): string { return num($n < 0 ? (-$n << 1) - 1 : $n << 1); }

/** Every sequence that may stand for something in an encoding without shift states. */
function sequences(string $e): Generator {
    $leads = [];
    for ($a = 0; $a < 256; $a++) {
        $one = codes(chr($a), $e);
        if ($one === [BAD]) { $leads[] = $a; } else { yield $a => $one; }
    }
    foreach ($leads as $a) {
        for ($b = 0; $b < 256; $b++) {
            $two = codes(chr($a) . chr($b), $e);
            if ($two[0] !== BAD) { yield $a << 8 | $b => $two; continue; }
            if (str_starts_with($e, 'EUC-JP') || $e === 'eucJP-win') {
                if ($a !== 0x8f || $b < 0xa1) continue;
                for ($c = 0xa1; $c < 0xff; $c++) {
                    $three = codes(chr($a) . chr($b) . chr($c), $e);
                    if ($three[0] !== BAD) yield ($a << 8 | $b) << 8 | $c => $three;
                }
            } elseif ($e === 'EUC-TW' && $a === 0x8e && $b >= 0xa1) {
                for ($c = 0xa1; $c < 0xff; $c++) for ($d = 0xa1; $d < 0xff; $d++) {
                    $four = codes(chr($a) . chr($b) . chr($c) . chr($d), $e);
                    if ($four[0] !== BAD) yield (($a << 8 | $b) << 8 | $c) << 8 | $d => $four;
                }
            } elseif (str_starts_with($e, 'GB18030') && $a <= 0x84 && $b >= 0x30 && $b <= 0x39) {
                for ($c = 0x81; $c < 0xff; $c++) for ($d = 0x30; $d <= 0x39; $d++) {
                    $four = codes(chr($a) . chr($b) . chr($c) . chr($d), $e);
                    if ($four[0] !== BAD) yield (($a << 8 | $b) << 8 | $c) << 8 | $d => $four;
                }
            }
        }
    }
    if ($e === 'SJIS-Mobile#SOFTBANK') {
        // ESC $ X Y, SI
        for ($b = 0x40; $b < 0x60; $b++) for ($c = 0x21; $c < 0x7f; $c++) {
            $four = codes("\x1b$" . chr($b) . chr($c) . "\x0f", $e);
            if ($four[0] !== BAD && count($four) && $four[0] !== 0x1b) yield (0x1b24 << 8 | $b) << 8 | $c => $four;
        }
    }
}

const SETS = ["\x1b(B", "\x1b(J", "\x1b(I", "\x1b\$B", "\x1b\$(D", "\x1b\$(Q", "\x1b\$(P", "\x1b\$(?", "\x1b\$)C\x0e", '~{'];
/** The character sets of encodings with shift states, as numbers in SETS; 0 is ASCII. */
const STATES = [
    'JIS' => [1, 2, 3, 4], 'ISO-2022-JP' => [1, 2, 3, 4], 'ISO-2022-JP-MS' => [1, 2, 3, 4, 7], 'ISO-2022-JP-2004' => [3, 5, 6],
    'ISO-2022-JP-MOBILE#KDDI' => [1, 2, 3, 4], 'CP50220' => [1, 2, 3, 4], 'CP50221' => [1, 2, 3, 4], 'CP50222' => [1, 2, 3, 4],
    'ISO-2022-KR' => [8], 'HZ' => [9],
];

function states(string $e): Generator {
    foreach ([0, ...STATES[$e]] as $set) {
        $start = $set ? SETS[$set] : '';
        for ($a = $set ? 0x20 : 0; $a < ($set ? 0xa0 : 0x80); $a++) {
            if ($set >= 3) {
                for ($b = 0x20; $b < 0x80; $b++) {
                    $two = codes($start . chr($a) . chr($b), $e);
                    if (!in_array(BAD, $two, true) && (count($two) === 1 || count($two) === 2 && $two[0] > 0x7f && $two[1] > 0x7f)) yield $set << 16 | $a << 8 | $b => $two;
                }
            } else {
                $one = codes($start . chr($a), $e);
                if ($one && $one[0] !== BAD) yield $set << 16 | $a => $one;
            }
        }
    }
}

function mobile(string $e): Generator {
    foreach ([[0xe000, 0xf8ff], [0xf0000, 0x10fffe]] as [$from, $to]) {
        for ($code = $from; $code <= $to; $code++) {
            $found = codes(mb_chr($code, 'UTF-8'), $e);
            if ($found !== [$code]) yield $code => $found;
        }
    }
}

/** What encoding writes, as a sequence's number; null for nothing. */
function encoded(string $e, array $codes): ?int {
    mb_substitute_character('none');
    $s = conv(pack('N*', ...$codes), $e, 'UTF-32BE');
    mb_substitute_character(BAD);
    if ($s === '') return null;
    if (str_starts_with($e, 'UTF-8')) {
        return mb_ord($s, 'UTF-8');
    }
    if (!isset(STATES[$e])) {
        if ($e === 'SJIS-Mobile#SOFTBANK' && $s[0] === "\x1b") $s = substr($s, 0, 4);
        return array_reduce(str_split($s), fn($n, $c) => $n << 8 | ord($c), 0);
    }
    if ($e === 'ISO-2022-KR') {
        $s = substr($s, 4);
        if ($s === '') return null;
        if ($s[0] === "\x0e") $s = SETS[8] . substr($s, 1);
    }
    if ($e === 'CP50222' && $s[0] === "\x0e" && strlen($s) > 1) $s = SETS[2] . substr($s, 1);
    foreach (SETS as $set => $start) {
        if (str_starts_with($s, $start)) {
            $rest = substr($s, strlen($start), $set >= 3 ? 2 : 1);
            return $set << 16 | array_reduce(str_split($rest), fn($n, $c) => $n << 8 | ord($c), 0);
        }
    }
    return strlen($s) <= 2 ? array_reduce(str_split($s), fn($n, $c) => $n << 8 | ord($c), 0) : null;
}

function write(string $dir, string $e): void {
    $single = $several = $inverse = [];
    $all = isset(STATES[$e]) ? states($e) : (str_starts_with($e, 'UTF-8') ? mobile($e) : sequences($e));
    foreach ($all as $seq => $codes) {
        if (count($codes) === 1) {
            $single[$seq] = $codes[0];
            $inverse[$codes[0]] ??= $seq;
        } else {
            $several[$seq] = $codes;
        }
    }
    ksort($single);
    $out = '';
    $runs = 0;
    $body = '';
    $end = 0;
    $last = -1;
    $keys = array_keys($single);
    for ($i = 0; $i < count($keys); $i += $n) {
        $n = 1;
        while ($i + $n < count($keys) && $keys[$i + $n] === $keys[$i] + $n) $n++;
        $body .= num($keys[$i] - $end) . num($n);
        for ($k = 0; $k < $n; $k++) {
            $code = $single[$keys[$i] + $k];
            $body .= signed($code - $last - 1);
            $last = $code;
        }
        $end = $keys[$i] + $n;
        $runs++;
    }
    $out .= num($runs) . $body . num(count($several));
    ksort($several);
    foreach ($several as $seq => $codes) {
        $out .= num($seq) . num(count($codes)) . implode('', array_map(num(...), $codes));
    }
    // What encoding does that is not the first sequence in order with this code point: 0 is nothing, else 1 + sequence.
    $extra = [];
    foreach ([[0, 0xd7ff], [0xe000, 0x2ffff], [0xf0000, 0x10fffe]] as [$from, $to]) {
        if ($from === 0xf0000 && !str_starts_with($e, 'UTF-8')) continue;
        for ($code = $from; $code <= $to; $code++) {
            if (str_starts_with($e, 'GB18030') && $code > 0xffff && !isset($inverse[$code])) continue;
            $seq = encoded($e, [$code]);
            $known = $inverse[$code] ?? null;
            if (str_starts_with($e, 'UTF-8')) {
                $known ??= $code;
            }
            if ($seq !== $known) $extra[$code] = $seq;
        }
    }
    $out .= num(count($extra));
    $last = 0;
    foreach ($extra as $code => $seq) {
        $out .= num($code - $last) . num($seq === null ? 0 : $seq + 1);
        $last = $code;
    }
    $packed = gzdeflate($out, 9);
    $name = strtolower(strtr($e, ['#' => '-']));
    file_put_contents("$dir/$name.tbl", $packed);
    fprintf(STDERR, "%-26s %6d single %5d several %6d extra %7d bytes\n", $e, count($single), count($several), count($extra), strlen($packed));
}

$names = array_slice($argv, 2) ?: [
    'EUC-JP', 'eucJP-win', 'EUC-JP-2004', 'CP51932', 'SJIS', 'CP932', 'SJIS-win', 'SJIS-2004', 'SJIS-mac', 'SJIS-Mobile#DOCOMO', 'SJIS-Mobile#KDDI',
    'SJIS-Mobile#SOFTBANK', 'GB18030', 'GB18030-2022', 'EUC-CN', 'CP936', 'EUC-TW', 'BIG-5', 'CP950', 'EUC-KR', 'UHC',
    'UTF-8-Mobile#DOCOMO', 'UTF-8-Mobile#KDDI-A', 'UTF-8-Mobile#KDDI-B', 'UTF-8-Mobile#SOFTBANK', ...array_keys(STATES),
];
foreach ($names as $e) write($argv[1], $e);
