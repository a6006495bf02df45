<?php
class A {}
readonly class B extends A {}
