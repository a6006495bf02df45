<?php
return Fiber::suspend('include') . '?';
