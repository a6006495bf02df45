<?php
$server = stream_socket_server('tcp://127.0.0.1:0');
$client = stream_socket_client('tcp://' . stream_socket_get_name($server, false));
stream_set_timeout($client, 60);
fread($client, 1);
