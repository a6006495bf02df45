<?php
class A implements UnitEnum {}
