<html>
<?php $x = 1 ?>
A newline after the closing tag is eaten: <?= $x ?>

But only one.
<?php if ($x): ?>
  indented <?= "html" ?> stays
<?php endif; /* c */ ?>
<?php // comment then tag ?>text right after
<?php
function page($title, $items) { ?>
<h1><?= $title ?></h1>
<?php foreach ($items as $i): ?><li><?= $i ?></li><?php endforeach; ?>

<?php return 'returned'; }
echo page('T', [1, 2]), "\n";
$s = (function () { ob_start(); ?>captured <?= 'html' ?><?php return ob_get_clean(); })();
echo strlen($s), $s, "\n";
?>
<?php echo 'no semicolon before tag' ?>

<?='short'?><?= 1 . 2, 3 ?>

<?php
$a = '?>';
echo $a, "?>\n"; # hash comment with ?> leaves php
<?php
echo <<<X
  heredoc with ?> inside
  X . "\n";
/* block comment with ?> stays php */
echo "end\n";
switch ($x):
    case 1: ?>
case html
<?php endswitch;
while ($x-- > 0): ?>
loop <?= $x ?>

<?php endwhile ?>
tail without newline
