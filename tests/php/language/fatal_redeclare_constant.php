<?php
class A { const C = 1; const C = 2; }
