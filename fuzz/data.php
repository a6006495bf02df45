<?php
// The first byte of the input says what the rest is.
class Any implements Countable
{
    public $a;
    protected $b = 1;
    private $c = [];
    public ?Any $typed = null;
    public int $number = 0;
    public readonly mixed $once;
    public function count(): int { return 1; }
}
class Hooks
{
    public $data = [];
    public function __serialize(): array { return (array) $this->data; }
    public function __unserialize(array $data): void { $this->data = $data; }
}
class Sleeper
{
    public $kept;
    public function __sleep() { return ['kept']; }
    public function __wakeup() { $this->kept = [$this->kept]; }
}
class Old implements Serializable
{
    public $data;
    public function serialize() { return serialize($this->data); }
    public function unserialize($data) { $this->data = unserialize($data); }
}
enum Suit: string { case Hearts = 'H'; case Spades = 'S'; }

$rest = substr($input, 1);
try {
    switch ($input[0] ?? '') {
        case 'u':
            serialize(unserialize($rest));
            break;
        case 'a':
            serialize(unserialize($rest, ['allowed_classes' => [Any::class], 'max_depth' => 10]));
            break;
        case 'j':
            json_encode(json_decode($rest), JSON_PRETTY_PRINT | JSON_PARTIAL_OUTPUT_ON_ERROR);
            break;
        case 'J':
            json_encode(json_decode($rest, true, 16, JSON_BIGINT_AS_STRING | JSON_INVALID_UTF8_SUBSTITUTE));
            break;
        default:
            json_validate($rest);
    }
} catch (Throwable) {
}
