<?php
return [isset($this) ? $this->p . $this->q : null, isset($this) ? static::class : (function_exists('get_called_class') ? __CLASS__ : ''), __FUNCTION__];
