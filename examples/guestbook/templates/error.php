    <section class="card">
        <h1><?= $e($title) ?></h1>
        <p><?= $e($text) ?></p>
        <p><a href="/">Back to the guestbook</a></p>
    </section>
