<?php
class A { final const C = 1; }
class B extends A { const C = 2; }
