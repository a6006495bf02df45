<?php
class A { function __get() {} }
