<?php
class A { function m() { $this = 5; } }
