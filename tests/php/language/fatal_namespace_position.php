<?php
echo 'x';
namespace A;
