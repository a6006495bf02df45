<?php
class A { public private function f() {} }
