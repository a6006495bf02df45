<?php

namespace Random {
class RandomError extends \Error
{
}

class BrokenRandomEngineError extends RandomError
{
}

class RandomException extends \Exception
{
}

interface Engine
{
    public function generate(): string;
}

interface CryptoSafeEngine extends Engine
{
}

enum IntervalBoundary
{
    case ClosedOpen;
    case ClosedClosed;
    case OpenClosed;
    case OpenOpen;
}

/**
 * @rust crate::randomizer
 * @strict-properties
 */
final class Randomizer
{
    public readonly Engine $engine;

    public function __construct(?Engine $engine = null) {}

    public function nextInt(): int {}

    public function nextFloat(): float {}

    public function getFloat(float $min, float $max, IntervalBoundary $boundary = \Random\IntervalBoundary::ClosedOpen): float {}

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

namespace Random\Engine {
/**
 * @rust crate::engines::mt19937
 * @hooks crate::engines::MT19937
 * @strict-properties
 */
final class Mt19937 implements \Random\Engine
{
    public function __construct(?int $seed = null, int $mode = MT_RAND_MT19937) {}

    /** @rust crate::engines::generate */
    public function generate(): string {}

    /** @rust crate::engines::serialize */
    public function __serialize(): array {}

    /** @rust crate::engines::unserialize */
    public function __unserialize(array $data): void {}

    /** @rust crate::engines::debug_info */
    public function __debugInfo(): array {}
}

/**
 * @rust crate::engines::pcg
 * @hooks crate::engines::PCG
 * @strict-properties
 */
final class PcgOneseq128XslRr64 implements \Random\Engine
{
    public function __construct(string|int|null $seed = null) {}

    /** @rust crate::engines::generate */
    public function generate(): string {}

    public function jump(int $advance): void {}

    /** @rust crate::engines::serialize */
    public function __serialize(): array {}

    /** @rust crate::engines::unserialize */
    public function __unserialize(array $data): void {}

    /** @rust crate::engines::debug_info */
    public function __debugInfo(): array {}
}

/**
 * @rust crate::engines::secure
 * @hooks crate::engines::SECURE
 * @strict-properties
 * @not-serializable
 */
final class Secure implements \Random\CryptoSafeEngine
{
    /** @rust crate::engines::generate */
    public function generate(): string {}
}

/**
 * @rust crate::engines::xoshiro
 * @hooks crate::engines::XOSHIRO
 * @strict-properties
 */
final class Xoshiro256StarStar implements \Random\Engine
{
    public function __construct(string|int|null $seed = null) {}

    /** @rust crate::engines::generate */
    public function generate(): string {}

    public function jump(): void {}

    public function jumpLong(): void {}

    /** @rust crate::engines::serialize */
    public function __serialize(): array {}

    /** @rust crate::engines::unserialize */
    public function __unserialize(array $data): void {}

    /** @rust crate::engines::debug_info */
    public function __debugInfo(): array {}
}
}
