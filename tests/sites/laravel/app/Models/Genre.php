<?php

namespace App\Models;

enum Genre: string
{
    case Novel = 'novel';
    case Poetry = 'poetry';
    case Science = 'science';
}
