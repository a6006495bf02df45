<?php
// getimagesizefromstring() of the smallest heads.
$png = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR" . pack('NN', 12, 34) . "\x08\x06\0\0\0";
$gif = 'GIF89a' . pack('vv', 16, 18) . "\x85\0\0";
$bmp = 'BM' . str_repeat("\0", 12) . pack('VVVvv', 40, 7, 9, 1, 24) . str_repeat("\0", 24);
$jpeg = "\xff\xd8\xff\xe0\0\x07abcd\x01\xff\xc0\0\x11\x08" . pack('nn', 50, 60) . "\x03" . str_repeat("\0", 9) . "\xff\xd9";
$psd = '8BPS' . "\0\x01" . str_repeat("\0", 6) . "\0\x03" . pack('NN', 21, 22) . "\0\x08\0\x03";
$tiff = "II*\0" . pack('V', 8) . pack('v', 2) . pack('vvVV', 0x100, 4, 1, 320) . pack('vvVV', 0x101, 3, 1, 200) . pack('V', 0);
$ico = "\0\0\x01\0\x02\0" . "\x10\x10\0\0\x01\0\x08\0" . str_repeat("\0", 8) . "\0\0\0\0\x01\0\x20\0" . str_repeat("\0", 8);
$webp = 'RIFF' . pack('V', 40) . 'WEBPVP8X' . pack('V', 10) . "\0\0\0\0" . "\x1f\0\0\x0f\0\0" . str_repeat("\0", 20);
$xbm = "#define x_width 16\n#define x_height 7\nstatic char x[];\n";
foreach (compact('png', 'gif', 'bmp', 'jpeg', 'psd', 'tiff', 'ico', 'webp', 'xbm') as $name => $image) {
    echo $name, ' ', json_encode(getimagesizefromstring($image)), "\n";
}
getimagesizefromstring($jpeg, $info);
var_dump($info);
foreach (['', 'ab', 'no image at all', "\x89PNx xxxxxx", 'GIF89a', "\xff\xd8\xff"] as $image) {
    var_dump(getimagesizefromstring($image));
}
foreach (range(0, 20) as $type) {
    echo $type, ' ', image_type_to_mime_type($type), ' ', var_export(image_type_to_extension($type), true), ' ', var_export(image_type_to_extension($type, false), true), "\n";
}
