<?php
interface I { public $p; }
