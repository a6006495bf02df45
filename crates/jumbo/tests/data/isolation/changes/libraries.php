<?php
mb_internal_encoding('SJIS'); mb_http_output('SJIS'); mb_language('Japanese'); mb_substitute_character(0x41); mb_detect_order(['SJIS']); mb_regex_encoding('SJIS'); mb_regex_set_options('x');
@iconv_set_encoding('internal_encoding', 'ISO-8859-1'); bcscale(7); @openssl_pkey_get_private('nonsense'); @posix_kill(999999, 0); session_name('LEFT'); session_id('left'); @session_set_cookie_params(5, '/left'); session_cache_limiter('private'); @session_start(); $_SESSION['x'] = 1;
date_default_timezone_set('Asia/Tokyo'); $d = new PDO('sqlite::memory:'); $d->sqliteCreateFunction('left', fn() => 1); posix_access('/nowhere');
