<?php

namespace App;

use Symfony\Component\Form\AbstractType;
use Symfony\Component\Form\CallbackTransformer;
use Symfony\Component\Form\Exception\TransformationFailedException;
use Symfony\Component\Form\Extension\Core\Type\CheckboxType;
use Symfony\Component\Form\Extension\Core\Type\EmailType;
use Symfony\Component\Form\Extension\Core\Type\EnumType;
use Symfony\Component\Form\Extension\Core\Type\RangeType;
use Symfony\Component\Form\Extension\Core\Type\SubmitType;
use Symfony\Component\Form\Extension\Core\Type\TextareaType;
use Symfony\Component\Form\Extension\Core\Type\TextType;
use Symfony\Component\Form\FormBuilderInterface;
use Symfony\Component\OptionsResolver\OptionsResolver;

final class NoteType extends AbstractType
{
    public function buildForm(FormBuilderInterface $builder, array $options): void
    {
        require_once __DIR__ . '/Note.php';
        $builder
            ->add('title', TextType::class, ['help' => 'Three letters at least', 'attr' => ['autofocus' => true]])
            ->add('text', TextareaType::class, ['required' => false])
            ->add('colour', EnumType::class, ['class' => Colour::class, 'choice_label' => fn (Colour $c) => $c->label(), 'expanded' => $options['expanded']])
            ->add('weight', RangeType::class, ['attr' => ['min' => 1, 'max' => 10]])
            ->add('author', EmailType::class, ['required' => false])
            ->add('due', TextType::class, ['required' => false, 'invalid_message' => 'That is no date.'])
            ->add('done', CheckboxType::class, ['required' => false, 'row_attr' => ['class' => 'switch']])
            ->add('tags', TextType::class, ['required' => false])
            ->add('save', SubmitType::class, ['label' => 'Save "it"']);
        // The form types of numbers and dates need ext/intl.
        $builder->get('due')->addModelTransformer(new CallbackTransformer(
            fn (?\DateTimeImmutable $due) => $due?->format('Y-m-d') ?? '',
            fn (?string $text) => null === $text ? null : (\DateTimeImmutable::createFromFormat('!Y-m-d', $text) ?: throw new TransformationFailedException("'$text'")),
        ));
        $builder->get('tags')->addModelTransformer(new CallbackTransformer(
            fn (?array $tags) => implode(', ', $tags ?? []),
            fn (?string $text) => array_values(array_filter(array_map(trim(...), explode(',', $text ?? '')), strlen(...))),
        ));
    }

    public function configureOptions(OptionsResolver $resolver): void
    {
        $resolver->setDefaults(['data_class' => Note::class, 'expanded' => false])->setAllowedTypes('expanded', 'bool');
    }
}
