<?php
return (function () { yield 'g1'; yield 'g2'; })();
