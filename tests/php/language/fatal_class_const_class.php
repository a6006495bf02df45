<?php
class A { const class = 1; }
