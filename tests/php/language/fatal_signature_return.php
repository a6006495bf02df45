<?php
class A { function m(): int|string { return 1; } }
class B extends A { function m(): ?int { return 1; } }
