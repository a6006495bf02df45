<?php
// Reading and writing declared, typed and dynamic properties.
class P
{
    public int $i = 0;
    public ?P $next = null;
    public array $list = [1, 2, 3];
    private $untyped = 1;
    public function step(): void
    {
        $this->i++;
        $this->untyped = $this->i + $this->next->i;
        $this->next->i = $this->untyped & 0xFFFF;
    }
}
$p = new P;
$p->next = new P;
$d = new stdClass;
$d->count = 0;
for ($i = 0; $i < 1500000; $i++) {
    $p->step();
    $d->count += $p->list[$i % 3];
}
echo $p->i, ' ', $p->next->i, ' ', $d->count, "\n";
