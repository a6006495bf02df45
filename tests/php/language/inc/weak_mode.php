<?php
// Included by strict_types_on.php: strictness belongs to the calling file.
return [strlen(5), i('7'), str_repeat('a', '2'), round('1.5')];
