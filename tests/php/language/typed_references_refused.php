<?php
// What a typed property holds, too, is not converted for a parameter by reference: it fits or it is refused.
class Holder
{
    public static ?int $static = 1;
    public int $int = 2;
    public ?string $text = '5';
    public float $float = 1.5;
    public int|string $either = 1;
    public ?iterable $list = [];
}
function text(?string &$y) { var_dump($y); }
function int(int &$y) { var_dump($y); }
function float(float &$y) { var_dump($y); }
function texts(string &...$y) { var_dump($y); }
function iterates(iterable &$y) { var_dump($y); }
function generates(int &$y) { yield $y; }
function tried($f) { try { $f(); } catch (TypeError $e) { echo $e->getMessage(), "\n"; } }

$o = new Holder;
tried(fn() => text(Holder::$static));
tried(fn() => text($o->int));
tried(fn() => int($o->text));
tried(fn() => float($o->int));
tried(fn() => texts($o->int));
tried(fn() => texts($o->text, $o->int));
tried(fn() => int($o->float));
tried(fn() => text($o->either));
tried(fn() => iterates($o->list));
tried(fn() => generates($o->text));
tried(fn() => int($o->either));
$free = 7;
text($free);
var_dump($free, $o->either);
