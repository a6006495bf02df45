<?php

function mb_output_handler(string $string, int $status): string {}
