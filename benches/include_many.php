<?php
// Including many small files: classes, functions and files that return configuration.
$dir = sys_get_temp_dir() . '/include_many_' . getmypid();
mkdir($dir);
$count = 400;
for ($i = 0; $i < $count; $i++) {
    file_put_contents("$dir/C$i.php", "<?php\nnamespace Inc;\nfinal class C$i\n{\n    public const ID = $i;\n    private array \$items = ['a' => 1, 'b' => [$i, 2]];\n    public function value(int \$x = 5): int\n    {\n        return \$this->items['a'] + self::ID + \$x;\n    }\n}\n");
    file_put_contents("$dir/conf$i.php", "<?php\nreturn ['id' => $i, 'name' => 'config $i', 'nested' => ['list' => [1, 2, $i], 'flag' => true]];\n");
}
spl_autoload_register(function (string $c) use ($dir): void { require $dir . '/' . substr($c, 4) . '.php'; });
$sum = 0;
for ($i = 0; $i < $count; $i++) {
    $c = "Inc\\C$i";
    $sum += (new $c)->value();
}
for ($r = 0; $r < 10; $r++) {
    for ($i = 0; $i < $count; $i++) {
        $sum += (include "$dir/conf$i.php")['nested']['list'][2];
    }
}
array_map('unlink', glob("$dir/*.php"));
rmdir($dir);
echo $sum, "\n";
