<?php
class A { private public(set) int $x; }
