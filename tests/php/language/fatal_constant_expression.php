<?php
const A = foo();
