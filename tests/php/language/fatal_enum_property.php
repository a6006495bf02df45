<?php
enum E { case A; public $p; }
