<?php
abstract class A { abstract function __construct(public $x); }
