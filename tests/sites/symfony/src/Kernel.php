<?php

namespace App;

use Doctrine\DBAL\Connection;
use Doctrine\DBAL\DriverManager;
use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Bundle\TwigBundle\TwigBundle;
use Symfony\Component\DependencyInjection\Compiler\CompilerPassInterface;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpKernel\Kernel as BaseKernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;

/** Notes in SQLite, with forms, validation, an API, a cache and a console. */
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

    /**
     * What needs ext/dom is left out: the debugger's dump of the container, XML as a format of the serializer,
     * the translations in XLIFF, and the validator's mappings in XML.
     */
    protected function build(ContainerBuilder $container): void
    {
        $container->addCompilerPass(new class() implements CompilerPassInterface {
            public function process(ContainerBuilder $container): void
            {
                $container->removeDefinition('serializer.encoder.xml');
                $container->getDefinition('validator.builder')->removeMethodCall('addXmlMappings');
                $translator = $container->getDefinition('translator.default');
                $options = $translator->getArgument(4);
                $options['resource_files'] = array_map(
                    fn (array $files) => array_values(array_filter($files, fn (string $file) => !str_ends_with($file, '.xlf'))),
                    $options['resource_files'],
                );
                $translator->replaceArgument(4, $options);
                $container->setParameter('debug.container.dump', false);
            }
        }, priority: 100);
    }

    private function configureContainer(ContainerConfigurator $container): void
    {
        $container->extension('framework', [
            'secret' => 'not-so-secret',
            'http_method_override' => true,
            'handle_all_throwables' => true,
            'annotations' => false,
            'php_errors' => ['log' => false],
            'session' => ['handler_id' => null, 'cookie_samesite' => 'lax', 'cookie_secure' => 'auto', 'storage_factory_id' => 'session.storage.factory.native'],
            'form' => true,
            'csrf_protection' => true,
            'validation' => ['enabled' => true, 'enable_attributes' => true, 'email_validation_mode' => 'html5'],
            'serializer' => ['enabled' => true, 'enable_attributes' => true],
            'property_access' => true,
            'property_info' => true,
            'translator' => ['default_path' => '%kernel.project_dir%/translations', 'fallbacks' => ['en']],
            'default_locale' => 'en',
            'set_locale_from_accept_language' => true,
            'enabled_locales' => ['en', 'de'],
            'cache' => ['app' => 'cache.adapter.filesystem', 'pools' => ['cache.notes' => ['default_lifetime' => 3600, 'tags' => true]]],
        ]);
        $container->extension('twig', [
            'default_path' => '%kernel.project_dir%/templates',
            'strict_variables' => true,
            'form_themes' => ['form_table_layout.html.twig'],
        ]);
        $services = $container->services()->defaults()->autowire()->autoconfigure();
        $services->set('logger', \Psr\Log\NullLogger::class);
        $services->set(Connection::class)->factory([DriverManager::class, 'getConnection'])->args([[
            'driver' => 'pdo_sqlite',
            'path' => '%kernel.project_dir%/var/notes.db',
        ]]);
        $services->set(Notes::class);
        $services->set(NoteType::class);
        $services->set(Greeter::class);
        $services->set(InstallCommand::class);
        $services->set(ReportCommand::class);
        $services->set(Controller::class)->tag('controller.service_arguments')->arg('$pool', \Symfony\Component\DependencyInjection\Loader\Configurator\service('cache.notes'));
    }

    private function configureRoutes(RoutingConfigurator $routes): void
    {
        $routes->import(__DIR__ . '/Controller.php', 'attribute');
    }
}
