<?php
class A { function __toString(): int { return 1; } }
