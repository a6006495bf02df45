<?php
// Where `$this` is missing PHP finds out before it evaluates the key or the name behind it.
try { $this->{self::K0}++; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this->{K0()}++; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this->{K0()}; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this->{K0()} = 3; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this->{K0()}[] = 3; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { isset($this->{K0()}); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { unset($this->{K0()}); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this->{K0()}++; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this->{K0()}->a++; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this->{K0()} .= 3; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this->{K0()}(K1()); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $a = &$this->{K0()}; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this->{K0()} = &$b; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this[K0()] = &$b; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this[K0()] = 4; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this[K0()]++; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $this[K0()]; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { isset($this[K0()]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { unset($this[K0()]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
