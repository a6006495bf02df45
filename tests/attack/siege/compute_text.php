<?php
similar_text(str_repeat('ab', 20000), str_repeat('cd', 20000));
levenshtein(str_repeat('ab', 20000), str_repeat('cd', 20000));
gzcompress(random_bytes(20 << 20), 9);
