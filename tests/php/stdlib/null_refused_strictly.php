<?php
declare(strict_types=1);
// A null that a function refuses although its declared type takes it.
try { var_dump(mb_encode_mimeheader('', indent: 5)); } catch (\Throwable $t) { echo $t::class, ': ', $t->getMessage(), "\n"; }
try { var_dump(mb_encode_mimeheader('', null)); } catch (\Throwable $t) { echo $t::class, ': ', $t->getMessage(), "\n"; }
try { var_dump(mb_encode_mimeheader('', null, null)); } catch (\Throwable $t) { echo $t::class, ': ', $t->getMessage(), "\n"; }
try { var_dump(mb_encode_mimeheader('', [])); } catch (\Throwable $t) { echo $t::class, ': ', $t->getMessage(), "\n"; }
try { var_dump(mb_encode_mimeheader('', 'UTF-8', [])); } catch (\Throwable $t) { echo $t::class, ': ', $t->getMessage(), "\n"; }
echo new ReflectionFunction('mb_encode_mimeheader');
