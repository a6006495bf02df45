<?php
hash_pbkdf2('sha512', 'password', 'salt', 5_000_000);
