<?php

function ob_start($callback = null, int $chunk_size = 0, int $flags = PHP_OUTPUT_HANDLER_STDFLAGS): bool {}

function ob_get_clean(): string|false {}

function ob_get_contents(): string|false {}

function ob_get_level(): int {}

function ob_get_length(): int|false {}

function ob_end_clean(): bool {}

function ob_end_flush(): bool {}

function ob_get_flush(): string|false {}

function ob_flush(): bool {}

function ob_clean(): bool {}

function flush(): void {}

function fastcgi_finish_request(): bool {}

function ob_list_handlers(): array {}

function ob_get_status(bool $full_status = false): array {}

function ob_implicit_flush(bool $enable = true): void {}
