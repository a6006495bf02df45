<?php
switch (1) { default: echo 1; default: echo 2; }
