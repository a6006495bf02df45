<?php
class A { public $p; private $p; }
