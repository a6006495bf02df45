<?php
interface I {}
class A extends I {}
