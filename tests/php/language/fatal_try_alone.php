<?php
try { echo 1; }
