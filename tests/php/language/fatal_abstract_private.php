<?php
abstract class A { abstract private function f(); }
