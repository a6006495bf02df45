<?php

namespace App;

use Symfony\Component\Serializer\Attribute\Groups;
use Symfony\Component\Serializer\Attribute\SerializedName;
use Symfony\Component\Validator\Constraints as Assert;
use Symfony\Component\Validator\Context\ExecutionContextInterface;

enum Colour: string
{
    case Red = 'red';
    case Green = 'green';
    case Blue = 'blue';

    public function label(): string
    {
        return ucfirst($this->value);
    }
}

final class Note
{
    #[Groups(['list', 'whole'])]
    public ?int $id = null;

    #[Assert\NotBlank, Assert\Length(min: 3, max: 40), Assert\Regex('/^[^<>]*$/', message: 'No angle brackets, please.')]
    #[Groups(['list', 'whole'])]
    public ?string $title = null;

    #[Assert\Length(max: 500)]
    #[Groups(['whole'])]
    public ?string $text = null;

    #[Assert\NotNull]
    #[Groups(['list', 'whole'])]
    public ?Colour $colour = Colour::Green;

    #[Assert\Range(min: 1, max: 10, notInRangeMessage: 'Between {{ min }} and {{ max }}, not {{ value }}.')]
    #[Groups(['list', 'whole'])]
    public int $weight = 1;

    #[Assert\Email]
    #[Groups(['whole']), SerializedName('mail')]
    public ?string $author = null;

    #[Assert\GreaterThan('2000-01-01')]
    #[Groups(['whole'])]
    public ?\DateTimeImmutable $due = null;

    #[Groups(['list', 'whole'])]
    public bool $done = false;

    /** @var list<string> */
    #[Assert\All([new Assert\NotBlank(), new Assert\Length(max: 12)]), Assert\Count(max: 4), Assert\Unique]
    #[Groups(['whole'])]
    public array $tags = [];

    #[Assert\Callback]
    public function consistent(ExecutionContextInterface $context): void
    {
        if ($this->done && null !== $this->due && $this->due > new \DateTimeImmutable('2100-01-01')) {
            $context->buildViolation('Done before its century?')->atPath('due')->addViolation();
        }
    }
}
