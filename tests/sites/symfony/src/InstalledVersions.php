<?php

namespace Composer;

/** What Symfony asks Composer for, answered for Debian's packages: all of them are installed, and none for development only. */
final class InstalledVersions
{
    public static function isInstalled(string $package, bool $includeDevRequirements = true): bool
    {
        return true;
    }

    /** @return array{name: string, dev: bool} */
    public static function getRootPackage(): array
    {
        return ['name' => 'jumbo/notes', 'dev' => false];
    }
}
