<?php
class A { public $x = 1 { get => 2; } }
