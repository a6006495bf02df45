<?php
class A { #[Override] function f() {} }
