<?php
enum E { case A = 5; }
