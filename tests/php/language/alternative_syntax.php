<?php if (true): ?>
html in if
<?php elseif (1): ?>no<?php else: ?>no<?php endif; ?>
<?php foreach ([1, 2] as $v): ?>
item <?= $v ?>

<?php endforeach ?>
<?php for ($i = 0; $i < 2; $i++): echo $i; endfor; while ($i-- > 0): echo "w$i"; endwhile; switch ($i): case -1: ?>
neg
<?php break; default: echo 'd'; endswitch;
declare(ticks=1): echo "d\n"; enddeclare;
if (0) echo 'a'; else if (0) echo 'b'; elseif (1) { if (0) echo 'x'; else echo "dangling\n"; }
for ($a = 0, $b = 10; $a < 3, $b > 8; $a++, $b--) echo "$a:$b ";
for (;;) { break; }
do { echo 'once '; } while (false);
do echo 'single '; while (0);
while (list($k, $v) = [1, 2]) { echo $k + $v, "\n"; break; }
foreach ([[1, [2]]] as [$p, [$q]]): echo $p, $q, "\n"; endforeach;
{ { echo "nested blocks\n"; } } ; ; ;
function f(): void { ?>
in function html
<?php }
f(); f() ?>
<?php if ($a > 100): elseif ($a): echo "elseif alt\n"; endif ?>
text with <? not php ?>
<?php /* comment ?> still comment */ echo 'c'; // line comment ends at ?> here
<?php # hash comment
#[Attr]
function attributed() {}
echo 'x' ?><?= 'y' ?><?= 1, 2, "\n" ?>
<?php echo 'end without newline' ?>
