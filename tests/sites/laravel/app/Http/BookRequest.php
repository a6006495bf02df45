<?php

namespace App\Http;

use App\Models\Genre;
use Illuminate\Foundation\Http\FormRequest;
use Illuminate\Validation\Rule;
use Illuminate\Validation\Rules\Enum;

final class BookRequest extends FormRequest
{
    public function authorize(): bool
    {
        return $this->input('title') !== 'forbidden';
    }

    public function rules(): array
    {
        return [
            'title' => ['required', 'string', 'min:3', 'max:60', Rule::unique('books')->ignore($this->route('book'))],
            'genre' => ['required', new Enum(Genre::class)],
            'price' => 'required|numeric|between:0,999.99|decimal:0,2',
            'pages' => 'nullable|integer|gt:0',
            'published' => 'nullable|date|before:2030-01-01|after_or_equal:1450-01-01',
            'author_id' => 'nullable|exists:authors,id',
            'mail' => 'sometimes|email|ends_with:.org',
            'tags' => 'array|max:3',
            'tags.*' => 'distinct|alpha_dash|in:red,green,blue',
            'password' => 'sometimes|confirmed|regex:/[0-9]/|not_in:12345',
            'site' => 'required_if:genre,science|url',
            'cover' => 'sometimes|file|max:4|extensions:png,txt',
        ];
    }

    public function messages(): array
    {
        return ['title.min' => 'At least :min letters, please.', 'tags.*.in' => 'No tag :input at :position.'];
    }

    public function attributes(): array
    {
        return ['author_id' => 'author'];
    }
}
