<?php
class A { public int $x = 'str'; }
