<?php

declare(strict_types=1);

namespace Guestbook;

/** One signature in the book. */
final readonly class Entry
{
    public function __construct(
        public int $id,
        public string $name,
        public string $message,
        public Mood $mood,
        public ?string $avatar,
        public int $createdAt,
    ) {
    }

    /** @param array<string, mixed> $row */
    public static function fromArray(array $row): self
    {
        return new self(
            id: (int) $row['id'],
            name: (string) $row['name'],
            message: (string) $row['message'],
            mood: Mood::tryFrom($row['mood'] ?? '') ?? Mood::Happy,
            avatar: $row['avatar'] ?? null,
            createdAt: (int) $row['created_at'],
        );
    }
}
