<?php

namespace App;

use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Bundle\TwigBundle\TwigBundle;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Exception\NotFoundHttpException;
use Symfony\Component\HttpKernel\Kernel as BaseKernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;
use Twig\Environment;

/** A small shop without a database: a list, its items, an API. */
final class Kernel extends BaseKernel
{
    use MicroKernelTrait;

    public function registerBundles(): iterable
    {
        yield new FrameworkBundle();
        yield new TwigBundle();
    }

    public function getProjectDir(): string
    {
        return dirname(__DIR__);
    }

    public function getLogDir(): string
    {
        return $this->getProjectDir() . '/var/log';
    }

    private function configureContainer(ContainerConfigurator $container): void
    {
        $container->extension('framework', [
            'secret' => 'bench',
            'http_method_override' => false,
            'handle_all_throwables' => true,
            'php_errors' => ['log' => false],
            'annotations' => false,
        ]);
        $container->extension('twig', ['default_path' => '%kernel.project_dir%/templates', 'strict_variables' => true]);
        $container->services()->set('logger', \Psr\Log\NullLogger::class);
        $container->services()->set(Shop::class)->public()->autowire()->autoconfigure();
    }

    private function configureRoutes(RoutingConfigurator $routes): void
    {
        $routes->add('home', '/')->controller([Shop::class, 'home'])->methods(['GET']);
        $routes->add('item', '/item/{id}')->controller([Shop::class, 'item'])->requirements(['id' => '\d+']);
        $routes->add('api', '/api/items')->controller([Shop::class, 'api']);
        foreach (['about', 'contact', 'terms', 'cart', 'login', 'account', 'orders', 'search'] as $name) {
            $routes->add($name, "/$name/{page<\d+>?1}")->controller([Shop::class, 'home']);
        }
    }
}

final class Shop
{
    public function __construct(private readonly Environment $twig)
    {
    }

    /** @return list<array{id: int, name: string, price: float, tags: list<string>, text: string}> */
    private function items(int $from, int $count): array
    {
        $items = [];
        for ($id = $from; $id < $from + $count; $id++) {
            $items[] = [
                'id' => $id,
                'name' => "Product $id",
                'price' => ($id * 37 % 1000) / 10,
                'tags' => array_map(fn (int $n) => "tag " . ($id * $n % 11), [1, 2, 3]),
                'text' => str_repeat("About <product> $id & its \"friends\". ", 1 + $id % 4),
            ];
        }
        return $items;
    }

    public function home(): Response
    {
        return new Response($this->twig->render('list.html.twig', ['items' => $this->items(1, 40)]));
    }

    public function item(int $id): Response
    {
        if ($id > 1000) {
            throw new NotFoundHttpException("No product $id");
        }
        return new Response($this->twig->render('item.html.twig', ['item' => $this->items($id, 1)[0], 'others' => $this->items($id + 1, 5)]));
    }

    public function api(Request $request): Response
    {
        $page = max(1, $request->query->getInt('page', 1));
        return new JsonResponse(['page' => $page, 'items' => $this->items(($page - 1) * 20 + 1, 20)]);
    }
}
