<?php

declare(strict_types=1);

namespace Guestbook;

/**
 * All entries in one JSON file. Readers share its lock and a writer has it alone, so that no entry is lost when
 * several visitors sign at once.
 */
final class Store
{
    public function __construct(private readonly string $file)
    {
    }

    /** @return list<Entry> newest first */
    public function page(int $page, int $perPage): array
    {
        return array_slice(array_reverse($this->all()), ($page - 1) * $perPage, $perPage);
    }

    public function count(): int
    {
        return count($this->all());
    }

    public function add(string $name, string $message, Mood $mood, ?string $avatar): Entry
    {
        return $this->change(static function (array &$book) use ($name, $message, $mood, $avatar): Entry {
            $entry = new Entry($book['next_id']++, $name, $message, $mood, $avatar, time());
            $book['entries'][] = $entry;
            return $entry;
        });
    }

    /** Takes an entry out and returns it, or null when it has gone already. */
    public function delete(int $id): ?Entry
    {
        return $this->change(static function (array &$book) use ($id): ?Entry {
            foreach ($book['entries'] as $at => $row) {
                if ($row['id'] === $id) {
                    array_splice($book['entries'], $at, 1);
                    return Entry::fromArray($row);
                }
            }
            return null;
        });
    }

    /** @return list<Entry> */
    private function all(): array
    {
        if (!is_file($this->file)) {
            return [];
        }
        $handle = $this->open('r', LOCK_SH);
        try {
            return array_map(Entry::fromArray(...), $this->read($handle)['entries']);
        } finally {
            fclose($handle);
        }
    }

    private function change(callable $change): mixed
    {
        if (!is_dir(dirname($this->file))) {
            mkdir(dirname($this->file), 0o770, true);
        }
        $handle = $this->open('c+', LOCK_EX);
        try {
            $book = $this->read($handle);
            $result = $change($book);
            $json = json_encode($book, JSON_THROW_ON_ERROR | JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE);
            rewind($handle);
            ftruncate($handle, 0);
            fwrite($handle, $json);
            fflush($handle);
            return $result;
        } finally {
            flock($handle, LOCK_UN);
            fclose($handle);
        }
    }

    /** @return resource */
    private function open(string $mode, int $lock)
    {
        $handle = fopen($this->file, $mode);
        if ($handle === false || !flock($handle, $lock)) {
            throw new \RuntimeException("Cannot open {$this->file}");
        }
        return $handle;
    }

    /**
     * @param resource $handle
     * @return array{next_id: int, entries: list<array<string, mixed>>}
     */
    private function read($handle): array
    {
        $json = stream_get_contents($handle);
        return $json === '' || $json === false
            ? ['next_id' => 1, 'entries' => []]
            : json_decode($json, true, flags: JSON_THROW_ON_ERROR);
    }
}
