<?php
// ArgumentCountError and TypeError of builtins (date): too few, too many, each argument of a wrong type.
// Written from the signatures: names, types and defaults as stock PHP 8.4 reports them.

function t(string $call, Closure $f): void
{
    try {
        $r = $f();
        echo $call, ' returned ', get_debug_type($r), "\n";
    } catch (Throwable $e) {
        echo $call, ' ', $e::class, ': ', $e->getMessage(), "\n";
    }
}
set_error_handler(function (int $no, string $msg): bool { echo "<$msg> "; return true; });
t('checkdate too few', fn() => checkdate(1, 1));
t('checkdate too many', fn() => checkdate(1, 1, 1, null));
t('checkdate #1', fn() => checkdate([], 1, 1));
t('checkdate #2', fn() => checkdate(1, [], 1));
t('checkdate #3', fn() => checkdate(1, 1, []));
t('date too few', fn() => date());
t('date too many', fn() => date('a', 1, null));
t('date #1', fn() => date([]));
t('date #2', fn() => date('a', []));
t('date_create too many', fn() => date_create('a', null, null));
t('date_create #1', fn() => date_create([]));
t('date_create #2', fn() => date_create('a', 'str'));
t('date_create_from_format too few', fn() => date_create_from_format('a'));
t('date_create_from_format too many', fn() => date_create_from_format('a', 'a', null, null));
t('date_create_from_format #1', fn() => date_create_from_format([], 'a'));
t('date_create_from_format #2', fn() => date_create_from_format('a', []));
t('date_create_from_format #3', fn() => date_create_from_format('a', 'a', 'str'));
t('date_create_immutable too many', fn() => date_create_immutable('a', null, null));
t('date_create_immutable #1', fn() => date_create_immutable([]));
t('date_create_immutable #2', fn() => date_create_immutable('a', 'str'));
t('date_create_immutable_from_format too few', fn() => date_create_immutable_from_format('a'));
t('date_create_immutable_from_format too many', fn() => date_create_immutable_from_format('a', 'a', null, null));
t('date_create_immutable_from_format #1', fn() => date_create_immutable_from_format([], 'a'));
t('date_create_immutable_from_format #2', fn() => date_create_immutable_from_format('a', []));
t('date_create_immutable_from_format #3', fn() => date_create_immutable_from_format('a', 'a', 'str'));
t('date_default_timezone_get too many', fn() => date_default_timezone_get(null));
t('date_default_timezone_set too few', fn() => date_default_timezone_set());
t('date_default_timezone_set too many', fn() => date_default_timezone_set('a', null));
t('date_default_timezone_set #1', fn() => date_default_timezone_set([]));
t('date_diff too few', fn() => date_diff(new DateTime('2024-01-01')));
t('date_diff too many', fn() => date_diff(new DateTime('2024-01-01'), new DateTime('2024-01-01'), true, null));
t('date_diff #1', fn() => date_diff('str', new DateTime('2024-01-01')));
t('date_diff #2', fn() => date_diff(new DateTime('2024-01-01'), 'str'));
t('date_diff #3', fn() => date_diff(new DateTime('2024-01-01'), new DateTime('2024-01-01'), []));
t('date_parse too few', fn() => date_parse());
t('date_parse too many', fn() => date_parse('a', null));
t('date_parse #1', fn() => date_parse([]));
t('getdate too many', fn() => getdate(1, null));
t('getdate #1', fn() => getdate([]));
t('gmdate too few', fn() => gmdate());
t('gmdate too many', fn() => gmdate('a', 1, null));
t('gmdate #1', fn() => gmdate([]));
t('gmdate #2', fn() => gmdate('a', []));
t('gmmktime too few', fn() => gmmktime());
t('gmmktime too many', fn() => gmmktime(1, 1, 1, 1, 1, 1, null));
t('gmmktime #1', fn() => gmmktime([]));
t('gmmktime #2', fn() => gmmktime(1, []));
t('gmmktime #3', fn() => gmmktime(1, 1, []));
t('gmmktime #4', fn() => gmmktime(1, 1, 1, []));
t('gmmktime #5', fn() => gmmktime(1, 1, 1, 1, []));
t('gmmktime #6', fn() => gmmktime(1, 1, 1, 1, 1, []));
t('mktime too few', fn() => mktime());
t('mktime too many', fn() => mktime(1, 1, 1, 1, 1, 1, null));
t('mktime #1', fn() => mktime([]));
t('mktime #2', fn() => mktime(1, []));
t('mktime #3', fn() => mktime(1, 1, []));
t('mktime #4', fn() => mktime(1, 1, 1, []));
t('mktime #5', fn() => mktime(1, 1, 1, 1, []));
t('mktime #6', fn() => mktime(1, 1, 1, 1, 1, []));
t('strtotime too few', fn() => strtotime());
t('strtotime too many', fn() => strtotime('a', 1, null));
t('strtotime #1', fn() => strtotime([]));
t('strtotime #2', fn() => strtotime('a', []));
t('time too many', fn() => time(null));
t('timezone_identifiers_list too many', fn() => timezone_identifiers_list(1, 'a', null));
t('timezone_identifiers_list #1', fn() => timezone_identifiers_list([]));
t('timezone_identifiers_list #2', fn() => timezone_identifiers_list(1, []));
t('timezone_name_from_abbr too few', fn() => timezone_name_from_abbr());
t('timezone_name_from_abbr too many', fn() => timezone_name_from_abbr('a', 1, 1, null));
t('timezone_name_from_abbr #1', fn() => timezone_name_from_abbr([]));
t('timezone_name_from_abbr #2', fn() => timezone_name_from_abbr('a', []));
t('timezone_name_from_abbr #3', fn() => timezone_name_from_abbr('a', 1, []));
t('timezone_offset_get too few', fn() => timezone_offset_get(new DateTime('2024-01-01')));
t('timezone_offset_get too many', fn() => timezone_offset_get(new DateTime('2024-01-01'), new DateTime('2024-01-01'), null));
t('timezone_offset_get #1', fn() => timezone_offset_get('str', new DateTime('2024-01-01')));
t('timezone_offset_get #2', fn() => timezone_offset_get(new DateTime('2024-01-01'), 'str'));
t('timezone_open too few', fn() => timezone_open());
t('timezone_open too many', fn() => timezone_open('a', null));
t('timezone_open #1', fn() => timezone_open([]));
t('timezone_transitions_get too few', fn() => timezone_transitions_get());
t('timezone_transitions_get too many', fn() => timezone_transitions_get(new DateTime('2024-01-01'), 1, 1, null));
t('timezone_transitions_get #1', fn() => timezone_transitions_get('str'));
t('timezone_transitions_get #2', fn() => timezone_transitions_get(new DateTime('2024-01-01'), []));
t('timezone_transitions_get #3', fn() => timezone_transitions_get(new DateTime('2024-01-01'), 1, []));
