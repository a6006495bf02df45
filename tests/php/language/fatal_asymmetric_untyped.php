<?php
class A { public private(set) $x; }
