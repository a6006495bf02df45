<?php
#[AllowDynamicProperties] readonly class A {}
