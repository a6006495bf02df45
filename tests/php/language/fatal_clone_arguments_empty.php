<?php
class A { function __clone($x) {} }
