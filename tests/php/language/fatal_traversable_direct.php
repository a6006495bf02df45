<?php
class A implements Traversable {}
