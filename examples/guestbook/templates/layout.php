<!DOCTYPE html>
<html lang="en">
<head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title><?= $e($title) ?></title>
    <link rel="stylesheet" href="/style.css">
</head>
<body>
<header>
    <a class="brand" href="/">🐘 Guestbook</a>
    <nav>
<?php if ($admin): ?>
        <form method="post" action="/logout">
            <input type="hidden" name="token" value="<?= $e($token) ?>">
            <button class="quiet">Log out</button>
        </form>
<?php else: ?>
        <a href="/login">Log in</a>
<?php endif ?>
    </nav>
</header>
<main>
<?php foreach ($flashes as $message): ?>
    <p class="flash" role="status"><?= $e($message) ?></p>
<?php endforeach ?>
<?= $content ?>
</main>
<footer>Served on <?= date('j F Y') ?>.</footer>
</body>
</html>
