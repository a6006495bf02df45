<?php
function f((A&B)|A $x) {}
