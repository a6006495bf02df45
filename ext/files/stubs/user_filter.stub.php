<?php

function stream_bucket_append($brigade, StreamBucket $bucket): void {}

function stream_bucket_make_writeable($brigade): ?StreamBucket {}

/** @resource $stream */
function stream_bucket_new($stream, string $buffer): StreamBucket {}

function stream_bucket_prepend($brigade, StreamBucket $bucket): void {}

function stream_filter_register(string $filter_name, string $class): bool {}

final class StreamBucket
{
    public $bucket;
    public string $data;
    public int $datalen;
    public int $dataLength;
}

class php_user_filter
{
    public string $filtername = "";
    public mixed $params = "";
    public $stream;

    /** @tentative-return-type */
    public function filter($in, $out, &$consumed, bool $closing): int {}

    /** @tentative-return-type */
    public function onCreate(): bool {}

    /** @tentative-return-type */
    public function onClose(): void {}
}

