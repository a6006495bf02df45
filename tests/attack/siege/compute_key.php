<?php
openssl_pkey_new(['private_key_bits' => 4096]);
