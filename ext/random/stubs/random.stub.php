<?php

function getrandmax(): int {}

/** @deprecated */
function lcg_value(): float {}

function mt_getrandmax(): int {}

function mt_rand(int $min = UNKNOWN, int $max = UNKNOWN): int {}

function mt_srand(?int $seed = null, int $mode = MT_RAND_MT19937): void {}

function rand(int $min = UNKNOWN, int $max = UNKNOWN): int {}

function random_bytes(int $length): string {}

function random_int(int $min, int $max): int {}

function srand(?int $seed = null, int $mode = MT_RAND_MT19937): void {}

namespace Random {
class BrokenRandomEngineError extends \Random\RandomError
{
}
}

namespace Random {
interface CryptoSafeEngine extends \Random\Engine
{
}
}

namespace Random {
interface Engine
{

    public function generate(): string;
}
}

namespace Random\Engine {
final class Mt19937 implements \Random\Engine
{

    public function __construct(?int $seed = null, int $mode = MT_RAND_MT19937) {}

    public function generate(): string {}

    public function __serialize(): array {}

    public function __unserialize(array $data): void {}

    public function __debugInfo(): array {}
}
}

namespace Random\Engine {
final class PcgOneseq128XslRr64 implements \Random\Engine
{

    public function __construct(string|int|null $seed = null) {}

    public function generate(): string {}

    public function jump(int $advance): void {}

    public function __serialize(): array {}

    public function __unserialize(array $data): void {}

    public function __debugInfo(): array {}
}
}

namespace Random\Engine {
final class Secure implements \Random\CryptoSafeEngine
{

    public function generate(): string {}
}
}

namespace Random\Engine {
final class Xoshiro256StarStar implements \Random\Engine
{

    public function __construct(string|int|null $seed = null) {}

    public function generate(): string {}

    public function jump(): void {}

    public function jumpLong(): void {}

    public function __serialize(): array {}

    public function __unserialize(array $data): void {}

    public function __debugInfo(): array {}
}
}

namespace Random {
enum IntervalBoundary implements \UnitEnum
{
    case ClosedOpen;
    case ClosedClosed;
    case OpenClosed;
    case OpenOpen;
    public readonly string $name;

    public static function cases(): array {}
}
}

namespace Random {
class RandomError extends \Error
{
}
}

namespace Random {
class RandomException extends \Exception
{
}
}

namespace Random {
final class Randomizer
{
    public readonly \Random\Engine $engine;

    public function __construct(?\Random\Engine $engine = null) {}

    public function nextInt(): int {}

    public function nextFloat(): float {}

    public function getFloat(float $min, float $max, \Random\IntervalBoundary $boundary = Random\IntervalBoundary::ClosedOpen): float {}

    public function getInt(int $min, int $max): int {}

    public function getBytes(int $length): string {}

    public function getBytesFromString(string $string, int $length): string {}

    public function shuffleArray(array $array): array {}

    public function shuffleBytes(string $bytes): string {}

    public function pickArrayKeys(array $array, int $num): array {}

    public function __serialize(): array {}

    public function __unserialize(array $data): void {}
}
}

