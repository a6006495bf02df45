<?php
// A small Markdown to HTML converter built on preg.
final class Markdown
{
    public static function html(string $md): string
    {
        $code = [];
        $md = preg_replace_callback('/^```(\w*)\n(.*?)^```$/ms', function ($m) use (&$code) { $code[] = '<pre><code' . ($m[1] ? " class=\"$m[1]\"" : '') . '>' . htmlspecialchars($m[2]) . '</code></pre>'; return "\x01" . (count($code) - 1) . "\x02"; }, $md);
        $out = [];
        foreach (preg_split('/\n{2,}/', trim($md)) as $block) {
            if (preg_match('/^(#{1,6}) (.*)$/', $block, $m)) { $n = strlen($m[1]); $out[] = "<h$n>" . self::inline($m[2]) . "</h$n>"; continue; }
            if (preg_match('/^\x01(\d+)\x02$/', $block, $m)) { $out[] = $code[$m[1]]; continue; }
            if (preg_match('/^(?:[-*] |\d+\. )/', $block)) { $out[] = self::list(explode("\n", $block)); continue; }
            if ($block[0] === '>') { $out[] = '<blockquote>' . self::html(preg_replace('/^> ?/m', '', $block)) . '</blockquote>'; continue; }
            if (preg_match('/^-{3,}$/', $block)) { $out[] = '<hr>'; continue; }
            if (substr_count($block, '|') > 1 && preg_match('/^\|?[ :-]+\|[ :|-]+$/m', $block)) { $out[] = self::table($block); continue; }
            $out[] = '<p>' . str_replace("\n", "<br>\n", self::inline($block)) . '</p>';
        }
        return implode("\n", $out);
    }
    private static function list(array $lines): string
    {
        $html = ''; $stack = [];
        foreach ($lines as $l) {
            preg_match('/^(\s*)([-*]|\d+\.) (.*)$/', $l, $m);
            $depth = intdiv(strlen($m[1]), 2); $tag = ctype_digit($m[2][0]) ? 'ol' : 'ul';
            while (count($stack) > $depth + 1) $html .= '</li></' . array_pop($stack) . '>';
            if (count($stack) === $depth + 1) $html .= '</li>'; else { $stack[] = $tag; $html .= "<$tag>"; }
            $html .= '<li>' . self::inline($m[3]);
        }
        while ($stack) $html .= '</li></' . array_pop($stack) . '>';
        return $html;
    }
    private static function table(string $b): string
    {
        $rows = array_map(fn($l) => array_map('trim', explode('|', trim($l, '| '))), explode("\n", $b));
        $align = array_map(fn($c) => match (true) { str_starts_with($c, ':') && str_ends_with($c, ':') => 'center', str_ends_with($c, ':') => 'right', default => null }, $rows[1]);
        unset($rows[1]);
        $h = '<table>';
        foreach ($rows as $i => $r) { $t = $i ? 'td' : 'th'; $h .= '<tr>'; foreach ($r as $k => $c) $h .= "<$t" . (isset($align[$k]) ? " align=\"{$align[$k]}\"" : '') . '>' . self::inline($c) . "</$t>"; $h .= '</tr>'; }
        return "$h</table>";
    }
    private static function inline(string $s): string
    {
        $s = htmlspecialchars($s, ENT_NOQUOTES);
        $keep = [];
        $s = preg_replace_callback('/`([^`]+)`/', function ($m) use (&$keep) { $keep[] = "<code>$m[1]</code>"; return "\x03" . (count($keep) - 1) . "\x04"; }, $s);
        $s = preg_replace(['/!\[([^\]]*)\]\(([^)\s]+)\)/', '/\[([^\]]+)\]\(([^)\s]+)(?: "([^"]+)")?\)/', '/\*\*(.+?)\*\*/', '/(?<!\w)[*_](.+?)[*_](?!\w)/', '/~~(.+?)~~/', '~(?<![">])https?://[^\s<]+~'], ['<img src="$2" alt="$1">', '<a href="$2">$1</a>', '<strong>$1</strong>', '<em>$1</em>', '<del>$1</del>', '<a href="$0">$0</a>'], $s);
        return preg_replace_callback('/\x03(\d+)\x04/', fn($m) => $keep[$m[1]], $s);
    }
}
echo Markdown::html(<<<'MD'
# Title with *emphasis* & <tags>

A paragraph with **bold**, `code **raw** <x>`, [a link](http://x.y/z "title") and
a second line. ~~gone~~ https://auto.link/p?q=1

- one
- two
  - nested *a*
  - nested b
    1. deep
- three

1. first
2. second

> quote
> more

```php
echo "<b>";
```

| a | b | c |
|---|:-:|--:|
| 1 | **2** | 3 |

---

![img](pic.png) end_of_snake_case_word
MD), "\n";
