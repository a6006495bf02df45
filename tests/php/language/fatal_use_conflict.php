<?php
namespace X;
class B {}
use C\B;
