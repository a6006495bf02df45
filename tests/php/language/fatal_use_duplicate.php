<?php
namespace X;
use A\B;
use C\B;
