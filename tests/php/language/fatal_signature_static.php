<?php
class A { static function m() {} }
class B extends A { function m() {} }
