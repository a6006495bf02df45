<?php
// DateInterval::$days can be read, but who writes it creates it, which changes nothing.
$interval = new DateInterval('P1D');
$interval->days = 5;
var_dump($interval->days, $interval->format('%a'));
$interval->days = 6;
var_dump($interval->days);

$difference = (new DateTime('2020-01-01'))->diff(new DateTime('2020-02-03'));
$difference->days = 7;
var_dump($difference->days, $difference->format('%a'));
$difference = (new DateTime('2020-01-01'))->diff(new DateTime('2020-02-03'));
$difference->days++;
$copy = clone $difference;
$copy->days = 3;
var_dump($difference->days, $copy->days);

class WithSet extends DateInterval
{
    public function __set($name, $value)
    {
        echo "__set $name\n";
    }
}
$interval = new WithSet('PT0S');
$interval->days = -6;
$interval->days = -7;
$interval->y = 4;
$interval->other = 1;
var_dump($interval->days, $interval->y);

class Creating extends DateInterval
{
    public function __set($name, $value)
    {
        echo "__set $name\n";
        $this->$name = $value;
    }
}
$interval = new Creating('PT0S');
$interval->days = 1;
$interval->days = 2;
var_dump($interval->days);

#[AllowDynamicProperties]
class Dynamic extends DateInterval {}
$interval = new Dynamic('P1D');
$interval->days = 5;
var_dump($interval->days);
