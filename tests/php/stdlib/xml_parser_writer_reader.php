<?php
// xml_parser_*, XMLWriter, XMLReader.
require __DIR__ . '/inc/show.php';
$p = xml_parser_create(); $log = [];
xml_set_element_handler($p, function ($p, $n, $a) use (&$log) { $log[] = "<$n" . ($a ? v($a) : '') . '>'; }, function ($p, $n) use (&$log) { $log[] = "</$n>"; });
xml_set_character_data_handler($p, function ($p, $d) use (&$log) { if (trim($d) !== '') $log[] = $d; });
show('parse', xml_parse($p, '<a x="1"><b>te', false), xml_parse($p, 'xt &lt; é</b><c/></a>', true), $log); 
$p = xml_parser_create('UTF-8'); xml_parser_set_option($p, XML_OPTION_CASE_FOLDING, 0); xml_parser_set_option($p, XML_OPTION_SKIP_WHITE, 1); show('into', xml_parse_into_struct($p, '<r> <i k="v">t</i> <e/></r>', $vals, $idx), $vals, $idx, xml_parser_get_option($p, XML_OPTION_CASE_FOLDING));
$p = xml_parser_create(); show('error', xml_parse($p, "<a>\n<b></a>", true), xml_get_error_code($p), xml_error_string(xml_get_error_code($p)), xml_get_current_line_number($p));
$p = xml_parser_create_ns('UTF-8', '|'); xml_parser_set_option($p, XML_OPTION_CASE_FOLDING, false); $log = []; xml_set_element_handler($p, function ($p, $n, $a) use (&$log) { $log[] = $n; }, fn() => 1); xml_parse($p, '<x:a xmlns:x="urn:x"><b/></x:a>', true); show('ns', $log);
$w = new XMLWriter; $w->openMemory(); $w->setIndent(true); $w->setIndentString(' '); $w->startDocument('1.0', 'UTF-8'); $w->startElement('root'); $w->writeAttribute('a', 'q"<&>'); $w->writeElement('e', 'text <&>'); $w->startElement('n'); $w->text('t'); $w->writeCdata('c<d'); $w->writeComment('com'); $w->endElement(); $w->writeElement('empty'); $w->startElementNs('p', 'el', 'urn:p'); $w->endElement(); $w->writeRaw('<raw/>'); $w->writePi('pi', 'data'); $w->fullEndElement(); $w->endDocument(); echo $w->outputMemory();
$r = XMLReader::XML('<r a="1"><b>t</b><c k="v"/><!-- c --></r>'); while ($r->read()) { echo $r->nodeType, ':', $r->name, ':', v($r->value), ':', $r->depth, $r->isEmptyElement ? ':empty' : ''; if ($r->hasAttributes && $r->nodeType === XMLReader::ELEMENT) while ($r->moveToNextAttribute()) echo " @{$r->name}={$r->value}"; echo "\n"; } $r = XMLReader::XML('<r><b>in<i>ner</i></b></r>'); $r->read(); $r->read(); show('reader', $r->readInnerXml(), $r->readOuterXml(), $r->readString(), $r->getAttribute('zz'), $r->next(), $r->name);
