<?php

/**
 * @ini mysqlnd.collect_statistics "1" ALL
 * @ini mysqlnd.collect_memory_statistics "0" SYSTEM
 * @ini mysqlnd.debug NULL SYSTEM
 * @ini mysqlnd.trace_alloc NULL SYSTEM
 * @ini mysqlnd.net_cmd_buffer_size "4096" ALL
 * @ini mysqlnd.net_read_buffer_size "32768" ALL
 * @ini mysqlnd.net_read_timeout "86400" ALL
 * @ini mysqlnd.log_mask "0" ALL
 * @ini mysqlnd.mempool_default_size "16000" ALL
 * @ini mysqlnd.sha256_server_public_key "" PERDIR
 */
