<?php

return [
    'required' => 'The :attribute is missing.', 'min' => ['string' => 'The :attribute needs :min characters.', 'numeric' => 'At least :min.'], 'between' => ['numeric' => ':attribute: :min to :max.'],
    'max' => ['string' => 'Too long.', 'array' => 'Not more than :max :attribute.', 'file' => ':max kilobytes at most.'], 'numeric' => ':Attribute is no number.', 'custom' => ['site' => ['url' => 'Which site?']],
    'attributes' => ['pages' => 'number of pages'],
];
