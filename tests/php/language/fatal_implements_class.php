<?php
class A {}
class B implements A {}
