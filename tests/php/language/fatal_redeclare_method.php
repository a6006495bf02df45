<?php
class A { function m() {} static function M() {} }
