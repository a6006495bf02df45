<?php

// What Symfony's String component needs of ext/intl, which Jumbo has not yet: both engines get this in its place. Normal forms are those of text
// that needs none (ASCII, and what is composed already); grapheme clusters are PCRE's.

if (!class_exists('Normalizer', false)) {
    class Normalizer
    {
        public const FORM_D = 4, NFD = 4, FORM_KD = 8, NFKD = 8, FORM_C = 16, NFC = 16, FORM_KC = 32, NFKC = 32;

        public static function isNormalized(string $string, int $form = self::FORM_C): bool
        {
            return 1 === preg_match('//u', $string);
        }

        public static function normalize(string $string, int $form = self::FORM_C): string|false
        {
            return 1 === preg_match('//u', $string) ? $string : false;
        }
    }

    function normalizer_is_normalized(string $string, int $form = Normalizer::FORM_C): bool
    {
        return Normalizer::isNormalized($string, $form);
    }

    function normalizer_normalize(string $string, int $form = Normalizer::FORM_C): string|false
    {
        return Normalizer::normalize($string, $form);
    }

    function grapheme_strlen(string $string): int|false|null
    {
        return preg_match_all('/\X/u', $string);
    }

    function grapheme_substr(string $string, int $offset, ?int $length = null): string|false
    {
        preg_match_all('/\X/u', $string, $found);

        return implode('', array_slice($found[0], $offset, $length));
    }

    function grapheme_strpos(string $haystack, string $needle, int $offset = 0): int|false
    {
        $place = strpos(grapheme_substr($haystack, $offset), $needle);

        return false === $place ? false : $offset + grapheme_strlen(substr(grapheme_substr($haystack, $offset), 0, $place));
    }

    function grapheme_stripos(string $haystack, string $needle, int $offset = 0): int|false
    {
        return grapheme_strpos(mb_strtolower($haystack), mb_strtolower($needle), $offset);
    }

    function grapheme_strrpos(string $haystack, string $needle, int $offset = 0): int|false
    {
        $place = strrpos($haystack, $needle);

        return false === $place ? false : grapheme_strlen(substr($haystack, 0, $place));
    }

    function grapheme_extract(string $haystack, int $size, int $type = 0, int $offset = 0, &$next = null): string|false
    {
        preg_match_all('/\X/u', substr($haystack, $offset), $found);
        $part = implode('', array_slice($found[0], 0, $size));
        $next = $offset + strlen($part);

        return '' === $part ? false : $part;
    }
}
