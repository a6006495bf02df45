<?php
// Lazy objects with magic methods, hooks, readonly properties, and resets.
#[AllowDynamicProperties]
class Magic {
    public int $a = 1;
    public readonly string $id;
    public string $hooked { get => strtoupper($this->hooked); set => trim($value); }
    public int $virtual { get => $this->a * 2; }
    public function __construct(int $a = 5) { echo "construct\n"; $this->a = $a; $this->id = 'id'; $this->hooked = ' x '; }
    public function __get($name) { return $name === 'deep' ? $this->a : "magic $name"; }
    public function __isset($name) { return $name === 'there'; }
    public function __set($name, $value) { echo "set $name\n"; $this->$name = $value; }
    public function __destruct() { echo "destruct\n"; }
}
$class = new ReflectionClass(Magic::class);
foreach (['ghost' => fn () => $class->newLazyGhost(function ($o) { echo "init\n"; $o->__construct(); }),
          'proxy' => fn () => $class->newLazyProxy(function ($o) { echo "init\n"; return new Magic; })] as $kind => $make) {
    echo "== $kind\n";
    $o = $make();
    var_dump($class->isUninitializedLazyObject($o), $o->shallow, isset($o->there), $class->isUninitializedLazyObject($o));
    var_dump($o->deep, $class->isUninitializedLazyObject($o));
    $o = $make();
    var_dump($o->virtual);
    $o = $make();
    var_dump($o->hooked);
    if ($kind === 'ghost') {
        $o = $make();
        $o->dynamic = 1;
        var_dump($o->dynamic);
    }
    $o = $make();
    $p = new ReflectionProperty(Magic::class, 'id');
    $p->setRawValueWithoutLazyInitialization($o, 'early');
    var_dump($o->id, $p->isLazy($o), $class->isUninitializedLazyObject($o));
    try {
        $p->setRawValueWithoutLazyInitialization($o, 'again');
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
    $class->markLazyObjectAsInitialized($o);
    var_dump($o->a, $class->getLazyInitializer($o));
    $class->getProperty('a')->setRawValue($o, 7);
    echo "reset\n";
    $class->resetAsLazyGhost($o, function ($o) use ($class) {
        try {
            $class->resetAsLazyGhost($o, fn () => null);
        } catch (Error $e) {
            echo $e->getMessage(), "\n";
        }
    });
    var_dump($o->a);
    $o = null;
}
$o = $class->newLazyGhost(function ($o) { $o->a = 9; throw new Exception('failed'); });
try {
    $o->a;
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
var_dump($class->isUninitializedLazyObject($o), (array) $o);
