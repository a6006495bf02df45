    <section class="card">
        <h1>Log in</h1>
        <form method="post" action="/login">
            <input type="hidden" name="token" value="<?= $e($token) ?>">
<?php if ($error !== null): ?>
            <p class="error"><?= $e($error) ?></p>
<?php endif ?>
            <label>Name <input name="user" autocomplete="username" required></label>
            <label>Password <input type="password" name="password" autocomplete="current-password" required></label>
            <button>Log in</button>
        </form>
    </section>
