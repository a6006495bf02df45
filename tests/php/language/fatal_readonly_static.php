<?php
class A { static readonly int $x; }
