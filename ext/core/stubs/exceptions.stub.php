<?php

// The order of the properties of Exception and Error is their order of slots, which jumbo_abi::throwable::slots names.

interface Throwable extends Stringable
{
    public function getMessage(): string;

    public function getCode();

    public function getFile(): string;

    public function getLine(): int;

    public function getTrace(): array;

    public function getPrevious(): ?Throwable;

    public function getTraceAsString(): string;
}

/**
 * @hooks crate::exception::HOOKS
 * @rust crate::exception
 */
class Exception implements Throwable
{
    protected $message = "";
    private string $string = "";
    protected $code = 0;
    protected string $file = "";
    protected int $line = 0;
    private array $trace = [];
    private ?Throwable $previous = null;

    private function __clone(): void {}

    /** @absent $message */
    public function __construct(string $message = "", int $code = 0, ?Throwable $previous = null) {}

    /** @tentative-return-type */
    public function __wakeup(): void {}

    final public function getMessage(): string {}

    final public function getCode() {}

    final public function getFile(): string {}

    final public function getLine(): int {}

    final public function getTrace(): array {}

    final public function getPrevious(): ?Throwable {}

    final public function getTraceAsString(): string {}

    public function __toString(): string {}
}

class ErrorException extends Exception
{
    protected int $severity = E_ERROR;

    /** @absent $message */
    public function __construct(string $message = "", int $code = 0, int $severity = E_ERROR, ?string $filename = null, ?int $line = null, ?Throwable $previous = null) {}

    final public function getSeverity(): int {}
}

/**
 * @hooks crate::exception::HOOKS
 * @rust crate::exception
 */
class Error implements Throwable
{
    protected $message = "";
    private string $string = "";
    protected $code = 0;
    protected string $file = "";
    protected int $line = 0;
    private array $trace = [];
    private ?Throwable $previous = null;

    private function __clone(): void {}

    /** @absent $message */
    public function __construct(string $message = "", int $code = 0, ?Throwable $previous = null) {}

    /** @tentative-return-type */
    public function __wakeup(): void {}

    final public function getMessage(): string {}

    final public function getCode() {}

    final public function getFile(): string {}

    final public function getLine(): int {}

    final public function getTrace(): array {}

    final public function getPrevious(): ?Throwable {}

    final public function getTraceAsString(): string {}

    public function __toString(): string {}
}

class CompileError extends Error
{
}

class ParseError extends CompileError
{
}

class TypeError extends Error
{
}

class ArgumentCountError extends TypeError
{
}

class ValueError extends Error
{
}

class ArithmeticError extends Error
{
}

class DivisionByZeroError extends ArithmeticError
{
}

class UnhandledMatchError extends Error
{
}

class RequestParseBodyException extends Exception
{
}
