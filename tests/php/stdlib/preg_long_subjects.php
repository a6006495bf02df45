<?php
// Walks over long subjects, by machine code and interpreted.

function text(array $words, int $bytes, int $seed): string
{
    $text = '';
    while (strlen($text) < $bytes) {
        $seed = ($seed * 69069 + 1) % 4294967296;
        $text .= $words[($seed >> 16) % count($words)];
    }
    return $text;
}

$subjects = [
    'words' => text(['a', 'b', 'ab', ' ', "\n", 'foo', 'Bar', '12', ',', ';', '<b>', '</b>', 'x=y', "\r\n", '_'], 6_000, 1),
    'one run' => str_repeat('a', 7_000) . '!' . str_repeat('b', 700),
    'late' => str_repeat('- ', 3_500) . "needle\n" . str_repeat('. ', 3_000) . 'Needle',
    'utf-8' => text(['ä', 'é', 'e', ' ', '日本', '😀', "\n", 'x', 'ß', 'É', '-'], 6_000, 2),
    'blank' => str_repeat(' ', 4_500) . 'x' . str_repeat("\n", 4_000),
    'invalid' => str_repeat('é', 2_500) . "\xff" . str_repeat('a', 5_000),
];
$patterns = [
    '/a+b/', '/(?=a)a{3,9}b/', '/x*y/', '/\s+$/', '/^\s*$/m', '/^\w+$/m', '/^/m', '/$/', '/$/m', '/\bfoo\b/', '/\Boo\b/', '/(?<=a)b/', '/(?<!a)b+/',
    '/(?<=foo|ab)\w/', '/foo\Ka/', '/(?<=o\K)B/', '/a(?=b)|b(?=a)/', '/(a)|(b)|(c)/', '/(?<x>a)?(?<y>b)/', '/x?/', '/(?=a)/', '//', '/needle/i', '/needle$/i',
    '/.*needle/', '/.*needle/s', '/(.*)\n/', '/.+?;/', '/[^,]+,/', '/<([a-z]+)>.*?<\/\1>/s', '/(?|(a)b|(b)a)/', '/(\w)(?1)(?1)\1/', '/\d+(?!,)/', '/(*SKIP)a/',
    '/a(*SKIP)b|./', '/\Ga/', '/\G./', '/\Aa/', '/a/A', '/ZZZ/', '/\R/', '/\R\R/', '/[^\n]\z/', '/Z*\z/', '/!b/', '/(?>a+)!/', '/a++!b/', '/(?s).{100}!/', '/(a|b){20}/', '/a{300}b/',
    '/é/u', '/\w+/u', '/./u', '//u', '/\X/u', '/É/iu', '/(?<=é)./u', '/日(?=本)|本/u', '/\p{Lu}/u', '/[^\x00-\x7f]+$/mu', '/x(?!.*x)/su', '/😀\K./u', '/ß/iu',
];

foreach ([1, 0] as $jit) {
    ini_set('pcre.jit', $jit);
    foreach ($subjects as $name => $subject) {
        if (!$jit && $name !== 'words' && $name !== 'utf-8') {
            // Only the JIT remembers where a try has failed before.
            continue;
        }
        echo "$name, ", $jit ? "compiled\n" : "interpreted\n";
        foreach ($patterns as $pattern) {
            $line = [];
            $line[] = preg_match($pattern, $subject, $m, PREG_OFFSET_CAPTURE, 1) . ':' . crc32(serialize($m));
            $line[] = preg_match($pattern, $subject, $m, PREG_OFFSET_CAPTURE, -4_100) . ':' . crc32(serialize($m));
            $line[] = preg_match_all($pattern, $subject, $m, 0, 7) . ':' . crc32(implode(array_map('implode', $m)));
            $line[] = crc32(preg_replace($pattern, '[$0]', $subject, -1, $count) ?? '') . ':' . $count;
            $line[] = crc32(serialize(preg_split($pattern, $subject, 50, PREG_SPLIT_DELIM_CAPTURE | PREG_SPLIT_OFFSET_CAPTURE)));
            $line[] = crc32(preg_replace_callback($pattern, fn($m) => strrev($m[0]), $subject, 50) ?? '');
            $line[] = preg_last_error();
            echo "  $pattern ", implode(' ', $line), "\n";
        }
    }
}
