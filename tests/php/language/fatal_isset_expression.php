<?php
isset(1 + 1);
