<?php

function mb_decode_mimeheader(string $string): string {}
