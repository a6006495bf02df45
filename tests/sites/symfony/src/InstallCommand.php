<?php

namespace App;

use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\Console\Style\SymfonyStyle;

#[AsCommand('app:install', 'Makes the tables and fills them')]
final class InstallCommand extends Command
{
    public function __construct(private readonly Notes $notes)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $this->addArgument('count', InputArgument::OPTIONAL, 'Number of notes', 12);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $style = new SymfonyStyle($input, $output);
        $style->title('Installation');
        $style->listing($this->notes->install());
        for ($n = 1; $n <= $input->getArgument('count'); $n++) {
            $note = new Note();
            $note->title = ['Milk', 'Bread', 'Käse', 'A "quoted" <b>title</b>', 'Ünïcödé'][$n % 5] . " $n";
            $note->text = str_repeat("Line $n\n", $n % 4) ?: null;
            $note->colour = Colour::cases()[$n % 3];
            $note->weight = 1 + $n * 7 % 10;
            $note->author = $n % 2 ? "writer$n@example.org" : null;
            $note->due = $n % 3 ? new \DateTimeImmutable("2030-01-01 +$n days") : null;
            $note->done = 0 === $n % 4;
            $note->tags = array_slice(['home', 'work', 'später'], 0, $n % 4);
            $this->notes->save($note);
        }
        $style->success("{$input->getArgument('count')} notes");
        return Command::SUCCESS;
    }
}
