<?php

declare(strict_types=1);

namespace Guestbook;

/** The guestbook: from a request to its page. */
final class App
{
    private const int PER_PAGE = 5;
    private const int NAME_MAX = 40;
    private const int MESSAGE_MAX = 1000;

    public function __construct(
        private readonly Store $store,
        private readonly Avatars $avatars,
        private readonly Session $session,
        private readonly View $view,
        private readonly string $passwordHash,
    ) {
    }

    public function run(string $method, string $uri): void
    {
        $path = rawurldecode(explode('?', $uri, 2)[0]);
        if ($method === 'GET' && preg_match('~\A/avatars/([^/]+)\z~', $path, $match)) {
            // Pictures need no session, and can be cached by anybody.
            $this->avatars->send($match[1]) || $this->notFound();
            return;
        }
        $this->session->start();
        $this->view->share('admin', $this->session->isAdmin());
        $this->view->share('token', $this->session->token());
        $this->view->share('flashes', []);
        if ($method === 'POST' && !$this->session->accepts($_POST['token'] ?? null)) {
            $this->view->render('error', [
                'title' => 'That took too long',
                'text' => 'This form is no longer valid. Please go back, reload the page and try again.',
            ], 403);
            return;
        }
        match ("$method $path") {
            'GET /', 'HEAD /' => $this->home(),
            'POST /entries' => $this->sign(),
            'GET /login' => $this->view->render('login', ['title' => 'Log in', 'error' => null]),
            'POST /login' => $this->login(),
            'POST /logout' => $this->logout(),
            'POST /delete' => $this->delete(),
            default => $this->notFound(),
        };
    }

    /**
     * @param array<string, string> $errors by field
     * @param array<string, string> $old what the visitor had typed
     */
    private function home(array $errors = [], array $old = [], int $status = 200): void
    {
        $count = $this->store->count();
        $pages = max(1, (int) ceil($count / self::PER_PAGE));
        $page = min($pages, max(1, (int) ($_GET['page'] ?? 1)));
        $this->view->render('home', [
            'title' => 'Guestbook',
            'entries' => $this->store->page($page, self::PER_PAGE),
            'count' => $count,
            'page' => $page,
            'pages' => $pages,
            'errors' => $errors,
            'old' => $old + ['name' => '', 'message' => '', 'mood' => Mood::Happy->value],
            'flashes' => $this->session->takeFlashes(),
            'avatarBytesMax' => Avatars::MAX_BYTES,
            'nameMax' => self::NAME_MAX,
            'messageMax' => self::MESSAGE_MAX,
        ], $status);
    }

    private function sign(): void
    {
        $old = array_map(self::field(...), ['name' => 'name', 'message' => 'message', 'mood' => 'mood']);
        $errors = [];
        $avatar = null;
        foreach (['name' => self::NAME_MAX, 'message' => self::MESSAGE_MAX] as $field => $max) {
            try {
                self::checkText($field, $old[$field], $max);
            } catch (InvalidInput $invalid) {
                $errors[$invalid->field] = $invalid->getMessage();
            }
        }
        if (self::field('website') !== '') {
            // People do not see this field; programs that fill in everything do.
            $errors['message'] = 'This looks like an advertisement.';
        }
        try {
            $avatar = $errors === [] ? $this->avatars->take($_FILES['avatar'] ?? null) : null;
        } catch (InvalidInput $invalid) {
            $errors[$invalid->field] = $invalid->getMessage();
        }
        if ($errors !== []) {
            $this->home($errors, $old, 422);
            return;
        }
        $entry = $this->store->add($old['name'], $old['message'], Mood::tryFrom($old['mood']) ?? Mood::Happy, $avatar);
        $this->session->flash("Thank you, {$entry->name}! You are number {$entry->id}.");
        $this->redirect('/');
    }

    private function login(): void
    {
        if (self::field('user') === 'admin' && password_verify(self::field('password'), $this->passwordHash)) {
            $this->session->login();
            $this->session->flash('You are logged in.');
            $this->redirect('/');
            return;
        }
        $this->view->render('login', ['title' => 'Log in', 'error' => 'Name or password is wrong.'], 401);
    }

    private function logout(): void
    {
        $this->session->logout();
        $this->session->flash('You are logged out.');
        $this->redirect('/');
    }

    private function delete(): void
    {
        if (!$this->session->isAdmin()) {
            $this->view->render('error', ['title' => 'Not allowed', 'text' => 'Only the admin deletes entries.'], 403);
            return;
        }
        $entry = $this->store->delete((int) self::field('id'));
        if ($entry?->avatar !== null) {
            $this->avatars->delete($entry->avatar);
        }
        $this->session->flash($entry === null ? 'That entry had gone already.' : "The entry of {$entry->name} is deleted.");
        $this->redirect('/');
    }

    private function notFound(): void
    {
        $this->view->share('admin', false);
        $this->view->share('flashes', []);
        $this->view->render('error', ['title' => 'Nothing here', 'text' => 'There is no page at this address.'], 404);
    }

    private function redirect(string $path): void
    {
        http_response_code(303);
        header('Location: ' . $path);
    }

    /** A text field of the form; an array or a missing one counts as empty. */
    private static function field(string $name): string
    {
        $value = $_POST[$name] ?? '';
        return is_string($value) ? trim(str_replace("\r\n", "\n", $value)) : '';
    }

    /** @throws InvalidInput */
    private static function checkText(string $field, string $text, int $max): void
    {
        if ($text === '') {
            throw new InvalidInput($field, "Please enter a $field.");
        }
        $length = preg_match_all('/./su', $text);
        if ($length === false) {
            throw new InvalidInput($field, "The $field is not valid text.");
        }
        if ($length > $max) {
            throw new InvalidInput($field, "The $field may have $max characters at most; it has $length.");
        }
    }
}
