<?php
class A { public function m() {} protected $p; }
class B extends A { protected function m() {} }
