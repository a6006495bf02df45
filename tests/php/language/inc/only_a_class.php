<?php
class OnlyAClass {}
