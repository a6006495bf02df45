<?php

function get_browser(?string $user_agent = null, bool $return_array = false): object|array|false {}
