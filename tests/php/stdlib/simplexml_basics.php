<?php
// SimpleXML: reading, iterating, attributes, namespaces, XPath, writing, errors.
require __DIR__ . '/inc/show.php';
$xml = '<?xml version="1.0"?><root a="1" xmlns:n="urn:n"><item id="1">one</item><item id="2"><sub>two &amp; more</sub></item><n:ns n:at="x">spaced</n:ns><empty/><cd><![CDATA[<raw>]]></cd></root>';
$x = simplexml_load_string($xml);
show('read', (string) $x->item[0], (string) $x->item[1]->sub, (string) $x['a'], (string) $x->item[1]['id'], count($x->item), count($x), $x->getName(), isset($x->item), isset($x->nope), isset($x['a']), (string) $x->nope, (string) $x->nope->deep, empty($x->empty), (string) $x->cd, (bool) $x->empty, (int) $x->item[0]['id']);
foreach ($x->item as $k => $i) echo $k, '=', trim((string) $i), ' ';
foreach ($x->attributes() as $k => $v) echo "$k=$v ";
foreach ($x->children() as $n => $c) echo $n, ' ';
foreach ($x->children('urn:n') as $n => $c) echo $n, '=', $c, ' ', $c->attributes('urn:n')['at'];
echo "\n";
show('xpath', array_map('strval', $x->xpath('//item')), array_map('strval', $x->xpath('item[@id="2"]/sub')), $x->xpath('//nope'), count($x->xpath('//@id')), @$x->xpath('///'));
$x->registerXPathNamespace('q', 'urn:n');
show('namespaces', array_map('strval', $x->xpath('//q:ns')), $x->getNamespaces(true), $x->getDocNamespaces());
$x->item[0] = 'changed'; $x->item[0]['new'] = 'attr'; $x->added = 'element <&>'; $x->addChild('kid', 'text')->addAttribute('k', 'v'); unset($x->item[1], $x->empty); $x->a->b->c = 'deep';
echo $x->asXML();
show('json', json_encode(simplexml_load_string('<a x="1"><b>t</b><b>u</b><c/><d><e>1</e></d></a>')));
var_dump(simplexml_load_string('<a x="1"><b>t</b><b>u</b><c/></a>'));
print_r(simplexml_load_string('<a><b at="1">t</b><c>u</c></a>'));
libxml_use_internal_errors(true);
show('bad', simplexml_load_string('<a><b></a>'));
foreach (libxml_get_errors() as $e) echo $e->level, ' ', $e->code, ' ', trim($e->message), ' ', $e->line, ':', $e->column, "\n";
libxml_clear_errors();
try { new SimpleXMLElement('not xml'); } catch (Exception $e) { echo get_class($e), ' ', $e->getMessage(), "\n"; }
$d = dom_import_simplexml($x); show('dom', get_class($d), $d->nodeName); show('cast', (array) simplexml_load_string('<a><b>1</b><c>2</c></a>'));
