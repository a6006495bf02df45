<?php

throw new Exception('from include');
