<?php
class A { public int $p; }
class B extends A { public ?int $p; }
