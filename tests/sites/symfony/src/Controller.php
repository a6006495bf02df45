<?php

namespace App;

use Psr\Cache\CacheItemPoolInterface;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\BinaryFileResponse;
use Symfony\Component\HttpFoundation\Cookie;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpFoundation\StreamedResponse;
use Symfony\Component\HttpKernel\Attribute\Cache;
use Symfony\Component\HttpKernel\Attribute\MapQueryParameter;
use Symfony\Component\HttpKernel\Attribute\MapRequestPayload;
use Symfony\Component\HttpKernel\Exception\NotFoundHttpException;
use Symfony\Component\Routing\Attribute\Route;
use Symfony\Component\Serializer\SerializerInterface;
use Symfony\Component\Validator\Validator\ValidatorInterface;
use Symfony\Contracts\Cache\ItemInterface;
use Symfony\Contracts\Cache\TagAwareCacheInterface;

final class Controller extends AbstractController
{
    public function __construct(private readonly Notes $notes, private readonly TagAwareCacheInterface $pool)
    {
    }

    #[Route('/', name: 'home', methods: ['GET'])]
    public function home(Request $request): Response
    {
        $session = $request->getSession();
        $session->set('visits', 1 + $session->get('visits', 0));
        return $this->render('home.html.twig', ['visits' => $session->get('visits'), 'statistics' => $this->notes->statistics()]);
    }

    #[Route('/notes/{page<\d+>}', name: 'notes', defaults: ['page' => 1], methods: ['GET'])]
    public function list(int $page, #[MapQueryParameter] string $order = 'id', #[MapQueryParameter] array $colours = []): Response
    {
        return $this->render('notes/list.html.twig', ['notes' => $this->notes->page($page, $order, $colours), 'page' => $page, 'order' => $order]);
    }

    #[Route('/note/new', name: 'new', methods: ['GET', 'POST'])]
    #[Route('/note/{id<\d+>}/edit', name: 'edit', methods: ['GET', 'POST'])]
    public function edit(Request $request, ?int $id = null): Response
    {
        $note = null === $id ? new Note() : $this->notes->find($id) ?? throw $this->createNotFoundException("There is no note $id.");
        $form = $this->createForm(NoteType::class, $note, ['expanded' => null !== $id]);
        $form->handleRequest($request);
        if ($form->isSubmitted() && $form->isValid()) {
            $this->notes->save($note);
            $this->pool->invalidateTags(['notes']);
            $this->addFlash('success', sprintf('Note %d was saved.', $note->id));
            return $this->redirectToRoute('notes', ['order' => 'title'], Response::HTTP_SEE_OTHER);
        }
        return $this->render('notes/edit.html.twig', ['form' => $form, 'note' => $note]);
    }

    #[Route('/note/{id}', name: 'delete', methods: ['DELETE'])]
    public function delete(Request $request, int $id): Response
    {
        if (!$this->isCsrfTokenValid('delete' . $id, $request->request->get('token'))) {
            throw $this->createAccessDeniedException();
        }
        $this->addFlash('notice', $this->notes->delete($id) . ' deleted');
        return $this->redirectToRoute('notes');
    }

    #[Route('/api/notes', name: 'api', methods: ['GET'])]
    public function api(SerializerInterface $serializer, Request $request): Response
    {
        $context = ['groups' => [$request->query->get('groups', 'list')], 'json_encode_options' => JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE];
        return JsonResponse::fromJsonString($serializer->serialize($this->notes->page($request->query->getInt('page', 1), 'id'), 'json', $context));
    }

    #[Route('/api/notes.{format<csv|yaml>}', name: 'export', methods: ['GET'])]
    public function export(SerializerInterface $serializer, string $format): Response
    {
        return new Response($serializer->serialize($this->notes->page(1, 'id'), $format, ['groups' => ['whole']]), 200, ['Content-Type' => "text/$format"]);
    }

    #[Route('/api/notes', name: 'api_new', methods: ['POST'])]
    public function create(#[MapRequestPayload(serializationContext: ['groups' => ['whole']])] Note $note): Response
    {
        $this->notes->save($note);
        return $this->json($note, Response::HTTP_CREATED, ['Location' => $this->generateUrl('edit', ['id' => $note->id])], ['groups' => ['whole']]);
    }

    #[Route('/api/check', methods: ['POST'])]
    public function check(Request $request, ValidatorInterface $validator, SerializerInterface $serializer): Response
    {
        $note = $serializer->deserialize($request->getContent(), Note::class, 'json', ['groups' => ['whole']]);
        return $this->json($validator->validate($note), 422);
    }

    #[Route('/cached', name: 'cached')]
    #[Cache(public: true, maxage: 60)]
    public function cached(): Response
    {
        $computed = false;
        $value = $this->pool->get('statistics', function (ItemInterface $item) use (&$computed): array {
            $computed = true;
            $item->tag(['notes'])->expiresAfter(600);
            return $this->notes->statistics();
        });
        return $this->json(['computed' => $computed, 'value' => $value]);
    }

    #[Route('/upload', name: 'upload', methods: ['POST'])]
    public function upload(Request $request): Response
    {
        $file = $request->files->get('file');
        return $this->json([
            'name' => $file?->getClientOriginalName(), 'type' => $file?->getClientMimeType(), 'size' => $file?->getSize(), 'valid' => $file?->isValid(),
            'extension' => $file?->getClientOriginalExtension(), 'hash' => $file ? sha1($file->getContent()) : null, 'fields' => $request->request->all(),
        ]);
    }

    #[Route('/stream', name: 'stream')]
    public function lines(): Response
    {
        return new StreamedResponse(function (): void {
            foreach (range(1, 5) as $n) {
                echo "line $n\n";
                flush();
            }
        }, 200, ['Content-Type' => 'text/plain']);
    }

    #[Route('/file', name: 'file')]
    public function download(): Response
    {
        return (new BinaryFileResponse(__FILE__, headers: ['Content-Type' => 'text/plain']))->setContentDisposition('attachment', 'Größe & "source".php.txt', 'size.txt');
    }

    #[Route('/cookie', name: 'cookie')]
    public function cookie(Request $request): Response
    {
        $response = new Response($request->cookies->get('seen', 'never'));
        $response->headers->setCookie(Cookie::create('seen', 'a b;c', 0, '/', null, false, true, false, 'strict'));
        $response->setEtag('abc')->setLastModified(new \DateTimeImmutable('2024-02-29 12:00:00 UTC'));
        $response->isNotModified($request);
        return $response;
    }

    #[Route('/fail/{kind}', name: 'fail')]
    public function fail(string $kind): Response
    {
        return match ($kind) {
            'type' => $this->typed([]),
            'divide' => new Response((string) intdiv(1, 0)),
            'warning' => new Response((string) $undefined),
            'twig' => $this->render('broken.html.twig'),
            'sql' => new Response((string) $this->container->get('router')->generate('nowhere')),
            'forward' => $this->forward(self::class . '::list', ['page' => 1]),
            'fatal' => $this->nowhere(),
            default => throw new NotFoundHttpException("No failure of kind $kind", new \LogicException('inner'), 7, ['X-Kind' => $kind]),
        };
    }

    private function typed(int $n): Response
    {
        return new Response((string) $n);
    }
}
