<?php
class A { readonly int $x = 1; }
