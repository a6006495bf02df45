<?php
class A { function __construct(): int {} }
