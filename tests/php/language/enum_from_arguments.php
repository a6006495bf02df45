<?php
// What from() and tryFrom() make of other types: an enum of strings takes an int first.
enum Text: string { case A = 'a'; case One = '1'; }
enum Number: int { case Zero = 0; case One = 1; }
foreach ([null, true, 1, 1.5, '1', 'x', [], new ArrayObject] as $value) {
    foreach (['Text', 'Number'] as $enum) {
        foreach (['from', 'tryFrom'] as $method) {
            try {
                var_dump($enum::$method($value));
            } catch (Throwable $t) {
                echo $t::class, ': ', $t->getMessage(), "\n", strtok($t->getTraceAsString(), "\n"), "\n";
            }
        }
    }
}
