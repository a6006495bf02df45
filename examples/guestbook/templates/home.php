    <section class="card">
        <h1>Sign the book</h1>
        <form method="post" action="/entries" enctype="multipart/form-data">
            <input type="hidden" name="token" value="<?= $e($token) ?>">
            <input type="hidden" name="MAX_FILE_SIZE" value="<?= $avatarBytesMax ?>">
            <label class="website">Website <input name="website" tabindex="-1" autocomplete="off"></label>
<?php foreach (['name' => 'Your name', 'message' => 'Your message'] as $field => $label): ?>
            <label><?= $label ?>

<?php if ($field === 'name'): ?>
                <input name="name" maxlength="<?= $nameMax ?>" value="<?= $e($old['name']) ?>" required>
<?php else: ?>
                <textarea name="message" rows="4" maxlength="<?= $messageMax ?>" required><?= $e($old['message']) ?></textarea>
<?php endif ?>
<?php if (isset($errors[$field])): ?>
                <span class="error"><?= $e($errors[$field]) ?></span>
<?php endif ?>
            </label>
<?php endforeach ?>
            <fieldset>
                <legend>How are you?</legend>
<?php foreach (Guestbook\Mood::cases() as $mood): ?>
                <label class="choice">
                    <input type="radio" name="mood" value="<?= $mood->value ?>"<?= $old['mood'] === $mood->value ? ' checked' : '' ?>>
                    <?= $mood->emoji() ?> <?= $mood->label() ?>

                </label>
<?php endforeach ?>
            </fieldset>
            <label>A picture of you <small>(if you like; <?= (int) ($avatarBytesMax / 1000) ?> kB at most)</small>
                <input type="file" name="avatar" accept="image/png,image/jpeg,image/gif,image/webp">
<?php if (isset($errors['avatar'])): ?>
                <span class="error"><?= $e($errors['avatar']) ?></span>
<?php endif ?>
            </label>
            <button>Sign</button>
        </form>
    </section>

    <h2><?= $count === 1 ? 'One guest has signed' : number_format($count) . ' guests have signed' ?></h2>
<?php foreach ($entries as $entry): ?>
    <article class="card entry" id="entry-<?= $entry->id ?>">
<?php if ($entry->avatar !== null): ?>
        <img src="/avatars/<?= $e($entry->avatar) ?>" alt="" width="64" height="64" loading="lazy">
<?php else: ?>
        <span class="mood"><?= $entry->mood->emoji() ?></span>
<?php endif ?>
        <div>
            <h3><?= $e($entry->name) ?> <time datetime="<?= date(DATE_ATOM, $entry->createdAt) ?>"><?= date('j M Y, H:i', $entry->createdAt) ?></time></h3>
            <p><?= nl2br($e($entry->message)) ?></p>
        </div>
<?php if ($admin): ?>
        <form method="post" action="/delete">
            <input type="hidden" name="token" value="<?= $e($token) ?>">
            <input type="hidden" name="id" value="<?= $entry->id ?>">
            <button class="quiet">Delete</button>
        </form>
<?php endif ?>
    </article>
<?php endforeach ?>
<?php if ($pages > 1): ?>
    <nav class="pages">
<?php for ($n = 1; $n <= $pages; $n++): ?>
        <a href="/?page=<?= $n ?>"<?= $n === $page ? ' aria-current="page"' : '' ?>><?= $n ?></a>
<?php endfor ?>
    </nav>
<?php endif ?>
