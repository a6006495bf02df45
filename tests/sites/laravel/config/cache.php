<?php

return ['default' => 'file', 'prefix' => 'books', 'stores' => ['file' => ['driver' => 'file', 'path' => storage_path('framework/cache')]]];
