<?php
// Strings written, unset and referenced by offset.

function attempt(callable $f) {
    try {
        var_dump($f());
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
$s = 'abc';
attempt(function () use ($s) { $s[1] = 'X'; return $s; });
attempt(function () use ($s) { $s[5] = 'long'; return $s; });
attempt(function () use ($s) { $s[-4] = 'x'; return $s; });
attempt(function () use ($s) { $s[1] = ''; return $s; });
attempt(function () use ($s) { $s['1'] = 'Y'; return $s; });
attempt(function () use ($s) { $s['x'] = 'Y'; return $s; });
attempt(function () use ($s) { $s[1.7] = 'Y'; return $s; });
attempt(function () use ($s) { $s[true] = 'Y'; return $s; });
attempt(function () use ($s) { $s[] = 'Y'; return $s; });
attempt(function () use ($s) { $s[0][0] = 'Y'; return $s; });
attempt(function () use ($s) { $s[0]->x = 'Y'; return $s; });
attempt(function () use ($s) { $s[0] .= 'Y'; return $s; });
attempt(function () use ($s) { $s[0]++; return $s; });
attempt(function () use ($s) { $r = &$s[0]; return $s; });
attempt(function () use ($s) { unset($s[0]); return $s; });
attempt(function () use ($s) { unset($s[0][0]); return $s; });
attempt(function () use ($s) { foreach ([1] as $s[0]); return $s; });
attempt(function () use ($s) { [$s[0], $s[1]] = ['p', 'q']; return $s; });
attempt(fn () => $s[10]);
attempt(fn () => $s['1x']);
attempt(fn () => $s['x']);
attempt(fn () => $s[[]]);
attempt(fn () => $s[new stdClass]);
attempt(fn () => [isset($s[1]), isset($s['1']), isset($s['1x']), isset($s[1.5]), isset($s[1][0]), isset($s[1][1]), isset($s['x']['y']), empty($s[0])]);
attempt(fn () => [$s[9] ?? 'none', $s['z'] ?? 'none', $s[0][0] ?? 'none', $s[1]['k'] ?? 'none']);
