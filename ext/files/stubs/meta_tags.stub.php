<?php

function get_meta_tags(string $filename, bool $use_include_path = false): array|false {}
