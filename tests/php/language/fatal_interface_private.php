<?php
interface I { private function m(); }
