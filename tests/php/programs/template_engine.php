<?php
// A template language compiled to PHP source and run with eval: inheritance, loops, filters, escaping, macros.
final class Tpl
{
    private array $src; private array $compiled = []; private array $filters; private int $n = 0;
    public function __construct(array $src) { $this->src = $src; $this->filters = ['upper' => fn($s) => strtoupper((string) $s), 'raw' => fn($s) => new Raw((string) $s), 'default' => fn($s, $d) => $s === null || $s === '' ? $d : $s, 'join' => fn($a, $s = ',') => implode($s, $a), 'date' => fn($t, $f = 'Y-m-d') => gmdate($f, $t), 'len' => fn($x) => is_countable($x) ? count($x) : strlen($x), 'truncate' => fn($s, $n) => strlen($s) > $n ? substr($s, 0, $n) . '…' : $s, 'json' => json_encode(...)]; }
    public function render(string $name, array $ctx = []): string { return ($this->compile($name))($ctx, []); }
    private function compile(string $name): Closure { return $this->compiled[$name] ??= eval('return function (array $c, array $blocks): string { ' . $this->php($this->src[$name] ?? throw new RuntimeException("no template $name")) . ' };'); }
    private function php(string $s): string
    {
        $out = "\$o = ''; "; $parent = null; $stack = [];
        foreach (preg_split('/(\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\})/s', $s, -1, PREG_SPLIT_DELIM_CAPTURE) as $t) {
            $tag = substr($t, 0, 2); $in = trim(substr($t, 2, -2));
            if ($tag === '{#') continue;
            if ($tag === '{{') { $out .= '$o .= $this->esc(' . $this->expr($in) . '); '; continue; }
            if ($tag !== '{%') { if ($t !== '') $out .= '$o .= ' . var_export($t, true) . '; '; continue; }
            [$kw, $arg] = explode(' ', $in, 2) + [1 => ''];
            switch ($kw) {
                case 'if': $stack[] = 'if'; $out .= 'if (' . $this->expr($arg) . ') { '; break;
                case 'elseif': $out .= '} elseif (' . $this->expr($arg) . ') { '; break;
                case 'else': $out .= end($stack) === 'for' ? '} if (!$it) { ' : '} else { '; break;
                case 'for': preg_match('/^(?:(\w+), *)?(\w+) in (.+)$/', $arg, $m) || throw new RuntimeException("bad for: $arg"); $stack[] = 'for'; $out .= "\$it = " . $this->expr($m[3]) . " ?? []; \$loop = ['index' => 0, 'length' => count(\$it)]; foreach (\$it as \$k => \$v) { \$loop['index']++; \$loop['last'] = \$loop['index'] === \$loop['length']; \$c['loop'] = \$loop; \$c['$m[2]'] = \$v; " . ($m[1] ? "\$c['$m[1]'] = \$k; " : ''); break;
                case 'set': [$n, $e] = explode('=', $arg, 2); $out .= "\$c['" . trim($n) . "'] = " . $this->expr($e) . '; '; break;
                case 'extends': $parent = trim($arg, '" '); break;
                case 'block': $stack[] = 'block'; $out .= "\$blocks['$arg'] ??= function (array \$c) use (&\$blocks): string { \$o = ''; "; $names[] = $arg; break;
                case 'include': $out .= '$o .= $this->render(' . var_export(trim($arg, '" '), true) . ', $c); '; break;
                case 'endblock': array_pop($stack); $n = array_pop($names); $out .= 'return $o; }; ' . ($parent ? '' : "\$o .= \$blocks['$n'](\$c); "); break;
                case 'endif': case 'endfor': if (array_pop($stack) !== substr($kw, 3)) throw new RuntimeException("unexpected $kw"); $out .= '} '; break;
                default: throw new RuntimeException("unknown tag $kw");
            }
        }
        if ($stack) throw new RuntimeException('unclosed ' . end($stack));
        return $out . ($parent ? 'return ($this->compile(' . var_export($parent, true) . '))($c, $blocks);' : 'return $o;');
    }
    private function expr(string $e): string
    {
        $parts = preg_split('/\|(?![|])(?=(?:[^"]*"[^"]*")*[^"]*$)/', trim($e));
        $php = preg_replace_callback('/"[^"]*"|\b(?:and|or|not|true|false|null)\b|[a-zA-Z_][\w.]*|\d+(?:\.\d+)?/', function ($m) { $t = $m[0]; if ($t[0] === '"') return var_export(substr($t, 1, -1), true); if (is_numeric($t) || in_array($t, ['and', 'or', 'true', 'false', 'null'])) return $t; if ($t === 'not') return '!'; $p = explode('.', $t); $x = "(\$c['" . array_shift($p) . "'] ?? null)"; foreach ($p as $k) $x = "\$this->get($x, '$k')"; return $x; }, array_shift($parts));
        foreach ($parts as $f) { preg_match('/^\s*(\w+)(?:\((.*)\))?\s*$/', $f, $m); $php = "(\$this->filters['$m[1]'] ?? throw new RuntimeException('no filter $m[1]'))($php" . (isset($m[2]) ? ', ' . implode(', ', array_map(fn($a) => $this->expr($a), str_getcsv($m[2], ',', "\1", ''))) : '') . ')'; }
        return $php;
    }
    private function get(mixed $x, string $k): mixed { return match (true) { is_array($x) => $x[$k] ?? null, is_object($x) => method_exists($x, $k) ? $x->$k() : $x->$k ?? null, default => null }; }
    private function esc(mixed $v): string { return $v instanceof Raw ? $v->s : htmlspecialchars(is_bool($v) ? ($v ? 'yes' : 'no') : (string) $v); }
}
final readonly class Raw { public function __construct(public string $s) {} }
class User { public $tags = ['a', 'b']; public function __construct(public string $name, private int $age) {} public function adult() { return $this->age >= 18; } }
$t = new Tpl(['base' => "<html><title>{% block title %}Site{% endblock %}</title>\n{% block body %}empty{% endblock %}\n{# comment #}</html>", 'page' => "{% extends \"base\" %}{% block title %}{{ title|upper }} &amp; more{% endblock %}{% block body %}{% for u in users %}{{ loop.index }}/{{ loop.length }} {{ u.name }}{% if u.adult %} (adult){% elseif u.name == \"Kid\" %} (kid){% else %} ?{% endif %} [{{ u.tags|join(\"-\") }}]{% if not loop.last %}, {% endif %}{% else %}nobody{% endfor %}{% include \"foot\" %}{% endblock %}", 'foot' => "\n-- {{ missing|default(\"none\") }} {{ html }} {{ html|raw }} {{ n + 1 }} {{ 1700000000|date(\"d.m.Y\") }} {{ list|len }} {{ \"a longer text\"|truncate(6)|upper }}{% set x = n + 5 %} {{ x }} {{ true }}{% for k, v in map %} {{ k }}={{ v }}{% endfor %}", 'bad1' => '{% if x %}', 'bad2' => '{% nope %}', 'bad3' => '{{ x|nofilter }}', 'bad4' => '{% for x %}{% endfor %}', 'bad5' => '{% endif %}']);
echo $t->render('page', ['title' => 'hi', 'users' => [new User('<Ann>', 30), new User('Kid', 5), new User('Bob', 7)], 'html' => '<b>"x"</b>', 'n' => 4, 'list' => [1, 2, 3], 'map' => ['p' => 1, 'q' => '&']]), "\n", $t->render('page', ['users' => []]), "\n", $t->render('base'), "\n"; foreach (['bad1', 'bad2', 'bad3', 'bad4', 'bad5', 'none'] as $n) try { echo $t->render($n); } catch (RuntimeException $e) { echo $e->getMessage(), '; '; } echo "\n";
