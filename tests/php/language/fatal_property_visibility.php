<?php
class A { public $p; }
class B extends A { private $p; }
