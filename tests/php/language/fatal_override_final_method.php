<?php
class A { final function m() {} }
class B extends A { function m() {} }
