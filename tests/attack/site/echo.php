<?php
// Says what the server made of a request.
foreach (['REQUEST_METHOD', 'REQUEST_URI', 'QUERY_STRING', 'HTTP_HOST', 'CONTENT_LENGTH', 'PATH_INFO'] as $name) {
    echo $name, '=[', $_SERVER[$name] ?? 'unset', "]\n";
}
echo 'fields=[', count(array_filter(array_keys($_SERVER), fn($name) => str_starts_with($name, 'HTTP_X_'))), "]\n";
echo 'input=[', file_get_contents('php://input'), "]\n";
