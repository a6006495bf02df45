before <?= $f ? 'yes' : 'no' ?>

after<?php if (true): ?>

 in if
<?php endif ?>
