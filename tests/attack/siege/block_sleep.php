<?php
sleep(60);
