<?php
password_verify('password', password_hash('password', PASSWORD_BCRYPT, ['cost' => 12]));
