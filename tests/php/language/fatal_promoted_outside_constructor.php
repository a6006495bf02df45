<?php
class A { function m(public $x) {} }
