<?php

namespace App;

use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Helper\ProgressBar;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Helper\TableSeparator;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\Console\Style\SymfonyStyle;

#[AsCommand('app:report', 'Shows what there is')]
final class ReportCommand extends Command
{
    public function __construct(private readonly Notes $notes)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $this->addOption('ask', null, InputOption::VALUE_NONE, 'Asks for a name')->addOption('style', 's', InputOption::VALUE_REQUIRED, 'Of the table', 'default');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $style = new SymfonyStyle($input, $output);
        if ($input->getOption('ask')) {
            $name = $style->ask('Your name?', 'nobody', fn (?string $n) => strlen($n ?? '') > 2 ? $n : throw new \RuntimeException('Longer, please.'));
            $colour = $style->choice('Your colour?', ['red', 'green', 'blue'], 'green');
            $style->note("$name likes $colour" . ($style->confirm('Sure?', false) ? '' : ', perhaps'));
        }
        $table = (new Table($output))->setStyle($input->getOption('style'))->setHeaders(['Id', 'Title', 'Colour', 'Weight']);
        foreach ($this->notes->page(1, 'title') as $n => $note) {
            $table->addRow([$note->id, $note->title, "<fg={$note->colour->value}>{$note->colour->label()}</>", number_format($note->weight, 1)]);
            if (4 === $n) {
                $table->addRow(new TableSeparator());
            }
        }
        $table->setFooterTitle('Page 1')->render();
        $bar = new ProgressBar($output, 5);
        $bar->setFormat('%current%/%max% [%bar%] %percent:3s%%');
        foreach ($bar->iterate(range(1, 5)) as $n) {
            $bar->display();
        }
        $output->writeln('');
        $style->definitionList('Statistics', ...array_map(fn (string $c, array $s) => [$c => "{$s['count']} of {$s['weight']}"], array_keys($all = $this->notes->statistics()), $all));
        $style->warning(['Two', 'lines, the second of which is so long that it has to be wrapped, since no terminal is as wide as that one would have to be.']);
        return 3;
    }
}
