<?php
class A { public public $x; }
