<?php

declare(strict_types=1);

namespace Guestbook;

/**
 * Uploaded pictures. They lie outside of the document root under names of our own, and what they are is decided by
 * their first bytes: never by what the visitor's browser says about them.
 */
final class Avatars
{
    public const int MAX_BYTES = 200_000;

    private const array TYPES = ['png' => 'image/png', 'jpg' => 'image/jpeg', 'gif' => 'image/gif', 'webp' => 'image/webp'];

    public function __construct(private readonly string $folder)
    {
    }

    /**
     * Takes an uploaded file.
     *
     * @param array{tmp_name: string, error: int, size: int}|null $upload an entry of $_FILES
     * @return string|null the picture's name; null when none was sent
     * @throws InvalidInput
     */
    public function take(?array $upload): ?string
    {
        if ($upload === null || $upload['error'] === UPLOAD_ERR_NO_FILE) {
            return null;
        }
        if (is_array($upload['error'])) {
            throw new InvalidInput('avatar', 'Please choose one picture only.');
        }
        if (in_array($upload['error'], [UPLOAD_ERR_INI_SIZE, UPLOAD_ERR_FORM_SIZE], true) || $upload['size'] > self::MAX_BYTES) {
            throw new InvalidInput('avatar', sprintf('The picture may have %d kB at most.', self::MAX_BYTES / 1000));
        }
        if ($upload['error'] !== UPLOAD_ERR_OK || !is_uploaded_file($upload['tmp_name'])) {
            throw new InvalidInput('avatar', 'The picture did not arrive. Please try again.');
        }
        $extension = self::extension((string) file_get_contents($upload['tmp_name'], length: 12))
            ?? throw new InvalidInput('avatar', 'Please choose a PNG, JPEG, GIF or WebP picture.');
        if (!is_dir($this->folder)) {
            mkdir($this->folder, 0o770, true);
        }
        $name = bin2hex(random_bytes(12)) . '.' . $extension;
        if (!move_uploaded_file($upload['tmp_name'], $this->folder . '/' . $name)) {
            throw new \RuntimeException('Cannot keep the picture');
        }
        return $name;
    }

    /** Sends a picture; says whether there is one of this name. */
    public function send(string $name): bool
    {
        $file = $this->path($name);
        if ($file === null) {
            return false;
        }
        header('Content-Type: ' . self::TYPES[pathinfo($file, PATHINFO_EXTENSION)]);
        header('Content-Length: ' . filesize($file));
        header('Cache-Control: public, max-age=86400, immutable');
        header('X-Content-Type-Options: nosniff');
        readfile($file);
        return true;
    }

    public function delete(string $name): void
    {
        $file = $this->path($name);
        if ($file !== null) {
            unlink($file);
        }
    }

    private function path(string $name): ?string
    {
        $file = $this->folder . '/' . $name;
        return preg_match('/\A[0-9a-f]{24}\.(png|jpg|gif|webp)\z/', $name) && is_file($file) ? $file : null;
    }

    private static function extension(string $head): ?string
    {
        return match (true) {
            str_starts_with($head, "\x89PNG\r\n\x1a\n") => 'png',
            str_starts_with($head, "\xff\xd8\xff") => 'jpg',
            str_starts_with($head, 'GIF87a'), str_starts_with($head, 'GIF89a') => 'gif',
            str_starts_with($head, 'RIFF') && substr($head, 8, 4) === 'WEBP' => 'webp',
            default => null,
        };
    }
}
