<?php
class A { readonly $x; }
