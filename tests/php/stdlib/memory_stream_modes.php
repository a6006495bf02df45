<?php
// What the modes of php://memory and php://temp mean.

foreach (['php://memory', 'php://temp', 'php://temp/maxmemory:3'] as $u) foreach (['r','rb','r+','rb+','r+b','rw','w','w+','wb','wr','a','a+','ab','ar','aw','x','x+','c','c+','cb','cw','c+b','n','','z','+','b','e','rt','wt', 'ra','rwa', 'rx', 'W', 'R+', '1', "r+n"] as $m) {
  $f = fopen($u, $m); if (!$f) { echo "$u $m: none\n"; continue; }
  $md = stream_get_meta_data($f);
  echo "$u '$m': ", $md['mode'], ' ', $md['stream_type'], ' ', json_encode(@fwrite($f, "hello")), ' ', ftell($f), ' '; rewind($f); echo json_encode(@fwrite($f, "XY")), ' ', ftell($f), ' '; rewind($f); echo json_encode(@fread($f, 10)), ' ', json_encode(@ftruncate($f, 2)), ' ', json_encode(is_writable($u)), "\n";
}
$f = new SplFileObject('php://memory', 'rw'); var_dump($f->fwrite('abc'));
$f = new SplTempFileObject(); var_dump($f->fwrite('abc'));
var_dump(file_put_contents('php://memory', 'abc'), file_put_contents('php://temp', 'abc', FILE_APPEND));
