<?php
// A buffer that is appended to and cut again holds no more and no less memory from round to round.
class Buffer
{
    private string $text = '';
    public function write(string $more): void
    {
        $this->text .= $more;
        $this->text .= PHP_EOL;
        $this->text = substr($this->text, -2);
    }
}
foreach (['', 'a', 'some text'] as $more) {
    $buffer = new Buffer();
    $buffer->write($more);
    $buffer->write($more);
    $start = memory_get_usage();
    for ($i = 0; $i < 100; $i++) {
        $buffer->write($more);
    }
    echo memory_get_usage() - $start, "\n";
}
