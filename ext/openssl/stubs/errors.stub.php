<?php

function openssl_error_string(): string|false {}
