<?php
// Variables that links and forms of the output carry on.
ini_set('url_rewriter.tags', 'a=href,area=href,form=');
ini_set('url_rewriter.hosts', 'php.net');
output_add_rewrite_var('name', 'value <&>');
output_add_rewrite_var('b', '2');
?>
<a href=""> <a href="x.php?y=1#z"> <a class=c href='/'> <a href=x/y> <A HREF = "?q">
<a href="#top"> <a href="http://php.net"> <a href="https://php.net:80/a"> <a href="//other.net/"> <a href="mailto:a@b"> <a hreflang="en">
<form> <form action="/x" method=post> <form action="http://other.net/"> <area href="a"> <img href="a"> < a href="b"> <ab href="c">
<?php
ob_flush();
output_add_rewrite_var('b', '3');
echo '<a href="two">', "\n";
ob_flush();
output_reset_rewrite_vars();
echo '<a href="none">', "\n";
