<?php
// What makes the buffer of roots full is looked at by the next collection; destructors' own garbage starts no collection after collection.
var_dump(gc_status()['roots']);
class Cycle {
    public $self;
    public static $made = 0;
    function __construct() { $this->self = $this; }
    function __destruct() {
        if (self::$made++ < 30000) {
            new Cycle;
        }
    }
}
for ($i = 0; $i < 10001; $i++) {
    new Cycle;
}
$status = gc_status();
var_dump($status['runs'] < 10);
Cycle::$made = 30000;
gc_collect_cycles();
gc_collect_cycles();
var_dump(gc_status()['roots']);
