<?php
// A router with parameters, groups, middleware and named routes.
#[Attribute(Attribute::TARGET_METHOD)] final class Route { public function __construct(public string $path, public string $method = 'GET', public ?string $name = null) {} }
final readonly class Request { public function __construct(public string $method, public string $path, public array $query = [], public array $attr = []) {} public function with(string $k, mixed $v): static { return new static($this->method, $this->path, $this->query, [...$this->attr, $k => $v]); } }
final readonly class Response { public function __construct(public int $status, public string $body, public array $headers = []) {} public function header(string $k, string $v): static { return new static($this->status, $this->body, [...$this->headers, $k => $v]); } public function __toString(): string { return "$this->status {$this->body}" . ($this->headers ? ' ' . json_encode($this->headers) : ''); } }
class HttpException extends RuntimeException { public static function notFound(string $p): self { return new self("no route for $p", 404); } }
final class Router
{
    private array $routes = []; private array $names = []; private array $stack = []; private string $prefix = '';
    public function add(string $method, string $path, callable $h, ?string $name = null): static
    {
        $path = $this->prefix . $path;
        $re = '#^' . preg_replace_callback('/\{(\w+)(?::([^}]+))?\}/', fn($m) => "(?<$m[1]>" . ($m[2] ?? '[^/]+') . ')', $path) . '$#';
        $this->routes[$method][$re] = [$h, $this->stack];
        if ($name) $this->names[$name] = $path;
        return $this;
    }
    public function group(string $prefix, array $mw, callable $f): static { [$p, $s] = [$this->prefix, $this->stack]; $this->prefix .= $prefix; $this->stack = [...$s, ...$mw]; try { $f($this); } finally { [$this->prefix, $this->stack] = [$p, $s]; } return $this; }
    public function controller(object $c): static { foreach ((new ReflectionObject($c))->getMethods() as $m) foreach ($m->getAttributes(Route::class) as $a) { $r = $a->newInstance(); $this->add($r->method, $r->path, $m->getClosure($c), $r->name); } return $this; }
    public function url(string $name, array $p = []): string { $u = preg_replace_callback('/\{(\w+)(?::[^}]+)?\}/', function ($m) use (&$p) { $v = $p[$m[1]] ?? throw new InvalidArgumentException("missing $m[1]"); unset($p[$m[1]]); return rawurlencode($v); }, $this->names[$name]); return $u . ($p ? '?' . http_build_query($p) : ''); }
    public function handle(Request $r): Response
    {
        foreach ($this->routes[$r->method] ?? [] as $re => [$h, $mw]) {
            if (!preg_match($re, $r->path, $m)) continue;
            $args = array_filter($m, 'is_string', ARRAY_FILTER_USE_KEY);
            $core = function (Request $r) use ($h, $args): Response { $res = $h($r, ...$args); return $res instanceof Response ? $res : new Response(200, (string) $res); };
            return array_reduce(array_reverse($mw), fn(Closure $next, callable $m) => fn(Request $r) => $m($r, $next), $core)($r);
        }
        $other = array_keys(array_filter($this->routes, fn($rs) => array_filter(array_keys($rs), fn($re) => preg_match($re, $r->path))));
        throw $other ? new HttpException('allowed: ' . implode(',', $other), 405) : HttpException::notFound($r->path);
    }
}
class Users { #[Route('/users/{id:\d+}', name: 'user')] public function show(Request $r, string $id) { return "user $id" . (isset($r->attr['auth']) ? ' for ' . $r->attr['auth'] : ''); } #[Route('/users', 'POST')] public function create() { return new Response(201, 'created'); } }
$log = fn(Request $r, Closure $next) => $next($r)->header('X-Log', $r->method);
$auth = fn(Request $r, Closure $next) => isset($r->query['token']) ? $next($r->with('auth', $r->query['token'])) : new Response(401, 'who are you');
$app = (new Router)->add('GET', '/', fn() => 'home')->group('/api', [$log, $auth], function (Router $g) { $g->controller(new Users)->group('/deep', [fn($r, $n) => new Response(418, strrev($n($r)->body))], fn($g) => $g->add('GET', '/{slug}', fn($r, $slug) => $slug, 'deep')); })->add('GET', '/boom', fn() => throw new DomainException('handler failed'));
foreach ([['GET', '/'], ['GET', '/api/users/42'], ['GET', '/api/users/42', ['token' => 'T']], ['POST', '/api/users', ['token' => 1]], ['DELETE', '/api/users'], ['GET', '/api/users/x', ['token' => 1]], ['GET', '/api/deep/stressed', ['token' => 1]], ['GET', '/nope'], ['GET', '/boom']] as $a)
    try { echo $a[0], ' ', $a[1], ' => ', $app->handle(new Request(...$a)), "\n"; } catch (HttpException $e) { echo $a[1], ' => ', $e->getCode(), ' ', $e->getMessage(), "\n"; } catch (Exception $e) { echo '500 ', get_class($e), ' ', $e->getMessage(), "\n"; }
echo $app->url('user', ['id' => 7, 'page' => 2]), ' ', $app->url('deep', ['slug' => 'a b/c']), ' '; try { $app->url('user'); } catch (InvalidArgumentException $e) { echo $e->getMessage(), "\n"; }
