<?php
class A { public int $x = null; }
