<?php
// A property that a constructor promotes, and a trait's of the same name and type, are one; a default makes them differ.

trait Scrolling
{
    public int $scroll;
    protected ?string $name;
    public $any;
    public readonly int $fixed;
}

class Prompt
{
    use Scrolling;

    public function __construct(public int $scroll = 5, protected ?string $name = null, public $any = [], public readonly int $fixed = 1)
    {
    }
}

trait Built
{
    public function __construct(public int $n = 3, public $m = 4)
    {
    }
}

class Plain
{
    use Built;

    public int $n;
    public $m;
}

var_dump(new Prompt(), new Plain());

trait Defaulted
{
    public int $scroll = 5;
}

class Different
{
    use Defaulted;

    public function __construct(public int $scroll = 5)
    {
    }
}
