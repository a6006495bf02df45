<?php
final class C0 { public const K0 = 1; }
$e = [...C0::K0];
