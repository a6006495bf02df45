<?php
set_error_handler(function ($n, $m) { echo "H $m\n"; throw new ErrorException($m, $n); });
function a() { unset($d[1]); echo "not reached\n"; }
try { a(); } catch (Exception $e) { echo "caught\n"; }
function b() { unset($d[$f]); echo "not reached\n"; }
try { b(); } catch (Exception $e) { echo "caught\n"; }
function c() { unset($d->$f[1]); echo "not reached\n"; }
try { c(); } catch (Exception $e) { echo "caught\n"; }
