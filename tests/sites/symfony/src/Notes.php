<?php

namespace App;

use Doctrine\DBAL\ArrayParameterType;
use Doctrine\DBAL\Connection;
use Doctrine\DBAL\Schema\Schema;
use Doctrine\DBAL\Types\Types;

/** Notes in their table. */
final class Notes
{
    private const TYPES = [
        'title' => Types::STRING, 'text' => Types::TEXT, 'colour' => Types::STRING, 'weight' => Types::INTEGER, 'author' => Types::STRING,
        'due' => Types::DATE_IMMUTABLE, 'done' => Types::BOOLEAN, 'tags' => Types::JSON,
    ];

    public function __construct(private readonly Connection $connection)
    {
        require_once __DIR__ . '/Note.php';
    }

    /** @return list<string> the statements that were run */
    public function install(): array
    {
        $schema = new Schema();
        $table = $schema->createTable('note');
        $table->addColumn('id', Types::INTEGER, ['autoincrement' => true]);
        $table->addColumn('title', Types::STRING, ['length' => 40]);
        $table->addColumn('text', Types::TEXT, ['notnull' => false]);
        $table->addColumn('colour', Types::STRING, ['length' => 10, 'default' => 'green']);
        $table->addColumn('weight', Types::INTEGER, ['default' => 1]);
        $table->addColumn('author', Types::STRING, ['length' => 80, 'notnull' => false]);
        $table->addColumn('due', Types::DATE_IMMUTABLE, ['notnull' => false]);
        $table->addColumn('done', Types::BOOLEAN);
        $table->addColumn('tags', Types::JSON);
        $table->setPrimaryKey(['id']);
        $table->addIndex(['colour', 'weight'], 'by_colour');
        $manager = $this->connection->createSchemaManager();
        $difference = $manager->createComparator()->compareSchemas($manager->introspectSchema(), $schema);
        $statements = $this->connection->getDatabasePlatform()->getAlterSchemaSQL($difference);
        foreach ($statements as $statement) {
            $this->connection->executeStatement($statement);
        }
        return $statements;
    }

    public function save(Note $note): void
    {
        $row = ['colour' => $note->colour?->value] + get_object_vars($note);
        unset($row['id']);
        $this->connection->transactional(function (Connection $connection) use ($note, $row): void {
            if (null === $note->id) {
                $connection->insert('note', $row, self::TYPES);
                $note->id = (int) $connection->lastInsertId();
            } else {
                $connection->update('note', $row, ['id' => $note->id], self::TYPES);
            }
        });
    }

    public function find(int $id): ?Note
    {
        $row = $this->connection->fetchAssociative('SELECT * FROM note WHERE id = ?', [$id]);
        return $row ? $this->note($row) : null;
    }

    public function delete(int $id): int
    {
        return $this->connection->delete('note', ['id' => $id]);
    }

    /** @return list<Note> */
    public function page(int $page, string $order, array $colours = []): array
    {
        $query = $this->connection->createQueryBuilder()->select('n.*')->from('note', 'n')->setFirstResult(10 * ($page - 1))->setMaxResults(10);
        if ($colours) {
            $query->where($query->expr()->in('n.colour', ':colours'))->setParameter('colours', $colours, ArrayParameterType::STRING);
        }
        $query->orderBy('n.' . (in_array($order, ['title', 'weight', 'due'], true) ? $order : 'id'))->addOrderBy('n.id', 'DESC');
        return array_map($this->note(...), $query->executeQuery()->fetchAllAssociative());
    }

    /** @return array<string, array{count: int, weight: float}> */
    public function statistics(): array
    {
        $sql = 'SELECT colour, COUNT(*) AS count, AVG(weight) AS weight FROM note GROUP BY colour ORDER BY colour';
        return $this->connection->fetchAllAssociativeIndexed($sql);
    }

    private function note(array $row): Note
    {
        $note = new Note();
        foreach (self::TYPES as $name => $type) {
            $value = $this->connection->convertToPHPValue($row[$name], $type);
            $note->$name = 'colour' === $name ? Colour::tryFrom($value) : $value;
        }
        $note->id = (int) $row['id'];
        return $note;
    }
}
