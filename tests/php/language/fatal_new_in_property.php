<?php
class A { public $o = new stdClass; }
