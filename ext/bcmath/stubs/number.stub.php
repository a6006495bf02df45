<?php

namespace BcMath {
/**
 * @hooks crate::number::HOOKS
 * @strict-properties
 */
final class Number implements \Stringable
{
    public readonly string $value;
    public readonly int $scale;

    public function __construct(string|int $num) {}

    /** @unchecked $num */
    public function add(\BcMath\Number|string|int $num, ?int $scale = null): \BcMath\Number {}

    /** @unchecked $num */
    public function sub(\BcMath\Number|string|int $num, ?int $scale = null): \BcMath\Number {}

    /** @unchecked $num */
    public function mul(\BcMath\Number|string|int $num, ?int $scale = null): \BcMath\Number {}

    /** @unchecked $num */
    public function div(\BcMath\Number|string|int $num, ?int $scale = null): \BcMath\Number {}

    /** @unchecked $num */
    public function mod(\BcMath\Number|string|int $num, ?int $scale = null): \BcMath\Number {}

    /** @unchecked $num */
    public function divmod(\BcMath\Number|string|int $num, ?int $scale = null): array {}

    /**
     * @unchecked $exponent
     * @unchecked $modulus
     */
    public function powmod(\BcMath\Number|string|int $exponent, \BcMath\Number|string|int $modulus, ?int $scale = null): \BcMath\Number {}

    /** @unchecked $exponent */
    public function pow(\BcMath\Number|string|int $exponent, ?int $scale = null): \BcMath\Number {}

    public function sqrt(?int $scale = null): \BcMath\Number {}

    public function floor(): \BcMath\Number {}

    public function ceil(): \BcMath\Number {}

    public function round(int $precision = 0, \RoundingMode $mode = \RoundingMode::HalfAwayFromZero): \BcMath\Number {}

    /** @unchecked $num */
    public function compare(\BcMath\Number|string|int $num, ?int $scale = null): int {}

    public function __toString(): string {}

    public function __serialize(): array {}

    public function __unserialize(array $data): void {}
}
}
