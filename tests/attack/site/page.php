<?php
// A page of a few thousand operations.
$rows = [];
for ($i = 0; $i < 200; $i++) {
    $rows[] = '<tr><td>' . $i . '</td><td>' . htmlspecialchars(str_repeat('<x>', $i % 5)) . '</td><td>' . number_format($i * 1.5, 2) . '</td></tr>';
}
echo '<table>', implode("\n", $rows), '</table><p>the page is whole</p>';
