<?php
// A recursive descent JSON parser and printer, checked against the builtin.
class JsonParser
{
    private int $p = 0;
    private function __construct(private string $s) {}
    public static function parse(string $s): mixed { $x = new self($s); $v = $x->value(); $x->ws(); if ($x->p < strlen($s)) throw new InvalidArgumentException("trailing at {$x->p}"); return $v; }
    private function ws(): void { $this->p += strspn($this->s, " \t\r\n", $this->p); }
    private function value(): mixed
    {
        $this->ws();
        $c = $this->s[$this->p] ?? '';
        if ($c === '{') return $this->object();
        if ($c === '[') return $this->list();
        if ($c === '"') return $this->string();
        foreach (['true' => true, 'false' => false, 'null' => null] as $w => $v) if (substr_compare($this->s, $w, $this->p, strlen($w)) === 0) { $this->p += strlen($w); return $v; }
        if (preg_match('/-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/A', $this->s, $m, 0, $this->p)) { $this->p += strlen($m[0]); return count($m) > 1 ? (float) $m[0] : (int) $m[0]; }
        throw new InvalidArgumentException("unexpected " . ($c === '' ? 'end' : $c) . " at {$this->p}");
    }
    private function object(): array
    {
        $o = [];
        $this->p++;
        for ($this->ws(); ($this->s[$this->p] ?? '') !== '}'; $this->ws()) {
            if ($o) $this->eat(',');
            $this->ws();
            $k = $this->string();
            $this->ws();
            $this->eat(':');
            $o[$k] = $this->value();
        }
        $this->p++;
        return $o;
    }
    private function list(): array
    {
        $l = [];
        $this->p++;
        for ($this->ws(); ($this->s[$this->p] ?? '') !== ']'; $this->ws()) { if ($l) $this->eat(','); $l[] = $this->value(); }
        $this->p++;
        return $l;
    }
    private function eat(string $c): void { if (($this->s[$this->p] ?? '') !== $c) throw new InvalidArgumentException("expected $c at {$this->p}"); $this->p++; }
    private function string(): string
    {
        $this->eat('"');
        $r = '';
        while (true) {
            $n = strcspn($this->s, '"\\', $this->p);
            $r .= substr($this->s, $this->p, $n);
            $this->p += $n;
            $c = $this->s[$this->p++] ?? throw new InvalidArgumentException('unterminated string');
            if ($c === '"') return $r;
            $e = $this->s[$this->p++] ?? '';
            $r .= match ($e) { 'n' => "\n", 't' => "\t", 'r' => "\r", 'b' => "\x08", 'f' => "\f", '"', '\\', '/' => $e, 'u' => $this->unicode(), default => throw new InvalidArgumentException("bad escape $e") };
        }
    }
    private function unicode(): string
    {
        $cp = hexdec(substr($this->s, $this->p, 4));
        $this->p += 4;
        if ($cp >= 0xD800 && $cp < 0xDC00 && substr($this->s, $this->p, 2) === '\\u') { $lo = hexdec(substr($this->s, $this->p + 2, 4)); $this->p += 6; $cp = 0x10000 + (($cp - 0xD800) << 10) + ($lo - 0xDC00); }
        return mb_chr($cp, 'UTF-8');
    }
}
$docs = ['{"a": [1, -2.5, 1e3, {"b": null}], "c": "q\\"\\u00e9\\ud83d\\ude00\\n", "d": {}, "e": []}', ' [ true , false ] ', '"x"', '0', '[1,2', '{"a" 1}', '[1 2]', '', 'nul', '"\\x"', '[[[[[[]]]]]]', '{"":{"":{"":1}}}', '[1]x'];
foreach ($docs as $d) try { $v = JsonParser::parse($d); echo $v === json_decode($d, true) ? 'same ' : 'differs ', json_encode($v), "\n"; } catch (InvalidArgumentException $e) { echo $e->getMessage(), ' ', var_export(json_decode($d), true), "\n"; }
$big = json_encode(array_map(fn($i) => ['id' => $i, 'tags' => ["t$i", "u$i"], 'f' => $i / 4], range(1, 150)));
echo JsonParser::parse($big) === json_decode($big, true) ? 'big same' : 'big differs', "\n";
