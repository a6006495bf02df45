<?php
class Node { public $next; public $data; function __destruct() { $this->data = [$this]; } }
$head = null;
for (;;) { $node = new Node; $node->next = $head; $node->data = [1, 2, $node]; $head = $node; }
