<?php
while (1) { try { } finally { break; } }
