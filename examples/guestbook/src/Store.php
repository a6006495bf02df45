<?php

declare(strict_types=1);

namespace Guestbook;

use PDO;

/** All entries, in a SQLite database that is made when the first visitor comes. */
final class Store
{
    private ?PDO $database = null;

    public function __construct(private readonly string $file)
    {
    }

    /** @return list<Entry> newest first */
    public function page(int $page, int $perPage): array
    {
        $statement = $this->database()->prepare('SELECT * FROM entries ORDER BY id DESC LIMIT :count OFFSET :start');
        $statement->bindValue('count', $perPage, PDO::PARAM_INT);
        $statement->bindValue('start', ($page - 1) * $perPage, PDO::PARAM_INT);
        $statement->execute();
        return array_map(Entry::fromArray(...), $statement->fetchAll());
    }

    public function count(): int
    {
        return (int) $this->database()->query('SELECT count(*) FROM entries')->fetchColumn();
    }

    public function add(string $name, string $message, Mood $mood, ?string $avatar): Entry
    {
        $now = time();
        $statement = $this->database()->prepare(
            'INSERT INTO entries (name, message, mood, avatar, created_at) VALUES (?, ?, ?, ?, ?)',
        );
        $statement->execute([$name, $message, $mood->value, $avatar, $now]);
        return new Entry((int) $this->database()->lastInsertId(), $name, $message, $mood, $avatar, $now);
    }

    /** Takes an entry out and returns it, or null when it has gone already. */
    public function delete(int $id): ?Entry
    {
        $statement = $this->database()->prepare('DELETE FROM entries WHERE id = ? RETURNING *');
        $statement->execute([$id]);
        $row = $statement->fetch();
        return $row === false ? null : Entry::fromArray($row);
    }

    private function database(): PDO
    {
        if ($this->database === null) {
            if (!is_dir(dirname($this->file))) {
                mkdir(dirname($this->file), 0o770, true);
            }
            $this->database = new PDO("sqlite:{$this->file}", options: [
                PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC,
                // Seconds that a visitor waits while another one signs.
                PDO::ATTR_TIMEOUT => 10,
            ]);
            // Numbers are never given twice, so that a link to a deleted entry stays dead.
            $this->database->exec(<<<'SQL'
                CREATE TABLE IF NOT EXISTS entries (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    name TEXT NOT NULL,
                    message TEXT NOT NULL,
                    mood TEXT NOT NULL,
                    avatar TEXT,
                    created_at INTEGER NOT NULL
                )
                SQL);
        }
        return $this->database;
    }
}
