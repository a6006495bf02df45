<?php
// Rendering an HTML page with output buffering, escaping and nested loops, as a template engine's output does.
function e(mixed $s): string { return htmlspecialchars((string) $s, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8'); }
function render(array $ctx): string
{
    extract($ctx);
    ob_start();
?>
<!DOCTYPE html>
<html><head><title><?= e($title) ?></title></head><body>
<?php foreach ($users as $i => $u): ?>
  <div class="<?= $i % 2 ? 'odd' : 'even' ?>" id="u<?= $u['id'] ?>">
    <h2><?= e($u['name']) ?></h2>
<?php if ($u['tags']): ?>
    <ul><?php foreach ($u['tags'] as $t): ?><li><?= e(ucfirst($t)) ?></li><?php endforeach ?></ul>
<?php else: ?>
    <p>no tags</p>
<?php endif ?>
    <span><?= number_format($u['score'], 1) ?></span>
  </div>
<?php endforeach ?>
</body></html>
<?php
    return ob_get_clean();
}
$users = [];
for ($i = 0; $i < 60; $i++) {
    $users[] = ['id' => $i, 'name' => "User <$i> & \"co\"", 'tags' => $i % 3 ? ['red', "t'$i", 'blue'] : [], 'score' => $i * 3.3];
}
$h = 0;
for ($r = 0; $r < 1300; $r++) {
    $h = ($h * 31 + crc32(render(['title' => "Page $r", 'users' => $users]))) & 0xFFFFFFF;
}
echo $h, "\n";
