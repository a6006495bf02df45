<?php
class A { public $x; function __construct(public $x) {} }
