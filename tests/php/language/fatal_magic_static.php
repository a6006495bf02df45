<?php
class A { static function __call($a, $b) {} }
