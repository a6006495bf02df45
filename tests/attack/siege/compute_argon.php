<?php
password_hash('password', PASSWORD_ARGON2ID);
