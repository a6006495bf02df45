<?php

declare(strict_types=1);

namespace Guestbook;

enum Mood: string
{
    case Happy = 'happy';
    case Curious = 'curious';
    case Sleepy = 'sleepy';

    public function emoji(): string
    {
        return match ($this) {
            self::Happy => '😊',
            self::Curious => '🧐',
            self::Sleepy => '😴',
        };
    }

    public function label(): string
    {
        return ucfirst($this->value);
    }
}
