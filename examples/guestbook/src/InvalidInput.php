<?php

declare(strict_types=1);

namespace Guestbook;

/** A field of a form that cannot be accepted, with what to tell the visitor. */
final class InvalidInput extends \Exception
{
    public function __construct(public readonly string $field, string $message)
    {
        parent::__construct($message);
    }
}
