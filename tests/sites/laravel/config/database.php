<?php

return [
    'default' => 'sqlite',
    'connections' => ['sqlite' => ['driver' => 'sqlite', 'database' => storage_path('books.db'), 'prefix' => '', 'foreign_key_constraints' => true]],
    'migrations' => 'migrations',
];
