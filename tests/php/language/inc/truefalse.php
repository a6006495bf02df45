<?php return false;
