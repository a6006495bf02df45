<?php

namespace App;

use Symfony\Component\EventDispatcher\Attribute\AsEventListener;
use Symfony\Component\HttpKernel\Event\ResponseEvent;
use Symfony\Contracts\Translation\TranslatorInterface;

/** Says hello in the head of each answer, in the visitor's language. */
#[AsEventListener]
final class Greeter
{
    public function __construct(private readonly TranslatorInterface $translator)
    {
    }

    public function __invoke(ResponseEvent $event): void
    {
        if ($event->isMainRequest()) {
            $event->getResponse()->headers->set('X-Greeting', $this->translator->trans('hello %name%', ['%name%' => 'you']));
        }
    }
}
