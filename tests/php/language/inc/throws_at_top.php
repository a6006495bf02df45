<?php
throw new Exception('top');
