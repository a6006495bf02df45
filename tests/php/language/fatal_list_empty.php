<?php
list() = [1];
