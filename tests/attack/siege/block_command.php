<?php
shell_exec('sleep 30');
