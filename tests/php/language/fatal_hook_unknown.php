<?php
class A { public $x { foo => 1; } }
