<?php
class A { final private const C = 1; }
