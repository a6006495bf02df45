<?php
class A { public readonly int $x { get => 2; } }
