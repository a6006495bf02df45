<?php
// Installs WordPress and fills it with 100 posts and 700 comments; the same each time.
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = 'bench.test';
$_SERVER['REQUEST_URI'] = '/';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
function wp_new_blog_notification($title, $url, $user, $password)
{
}
function wp_mail()
{
    return true;
}
require '/srv/jumbo-bench/site/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Jumbo Bench', 'admin', 'admin@bench.test', true, '', 'bench-secret');
update_option('permalink_structure', '/%year%/%monthnum%/%postname%/');
update_option('comments_notify', 0);
update_option('moderation_notify', 0);
update_option('page_comments', 0);
wp_delete_post(1, true);

$seed = 20260101;
$random = function (int $below) use (&$seed): int {
    $seed = ($seed * 1103515245 + 12345) & 0x7fffffff;
    return ($seed >> 8) % $below;
};
$words = explode(' ', 'river lantern morning copper window garden quiet stone market paper harbour winter signal orange ladder cloud thunder meadow velvet engine '
    . 'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which you were her all she there would their');
$sentence = function () use ($random, $words): string {
    $count = 6 + $random(14);
    $text = [];
    for ($i = 0; $i < $count; $i++) {
        $text[] = $words[$random(count($words))];
    }
    return ucfirst(implode(' ', $text)) . '.';
};
$paragraph = fn (int $sentences): string => implode(' ', array_map(fn () => $sentence(), range(1, $sentences)));

$categories = [];
for ($n = 1; $n <= 8; $n++) {
    $categories[] = wp_insert_term("topic $n", 'category', ['slug' => "topic-$n"])['term_id'];
}
wp_defer_term_counting(true);
wp_defer_comment_counting(true);
for ($n = 1; $n <= 100; $n++) {
    $blocks = [];
    for ($i = 0, $count = 3 + $random(12); $i < $count; $i++) {
        $blocks[] = match ($random(8)) {
            0 => "<!-- wp:heading -->\n<h2 class=\"wp-block-heading\">" . rtrim($sentence(), '.') . "</h2>\n<!-- /wp:heading -->",
            1 => "<!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li>" . $sentence() . "</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->",
            2 => "<!-- wp:quote -->\n<blockquote class=\"wp-block-quote\"><!-- wp:paragraph -->\n<p>" . $sentence() . "</p>\n<!-- /wp:paragraph --></blockquote>\n<!-- /wp:quote -->",
            default => "<!-- wp:paragraph -->\n<p>" . $paragraph(2 + $random(5)) . ' <a href="http://bench.test/?p=' . (1 + $random(90)) . "\">link</a></p>\n<!-- /wp:paragraph -->",
        };
    }
    $date = gmdate('Y-m-d H:i:s', gmmktime(12, 0, 0, 1, $n, 2024));
    $post = wp_insert_post([
        'post_title' => "Post $n: " . rtrim($sentence(), '.'),
        'post_name' => "post-$n",
        'post_content' => implode("\n\n", $blocks),
        'post_status' => 'publish',
        'post_author' => 1,
        'post_date' => $date,
        'post_date_gmt' => $date,
        'post_category' => [$categories[$random(8)], $categories[$random(8)]],
        'tags_input' => [$words[$random(20)], $words[$random(20)]],
    ], true);
    if (is_wp_error($post)) {
        fwrite(STDERR, $post->get_error_message());
        exit(1);
    }
    $ids[] = $post;
}
$given = [];
for ($n = 1; $n <= 700; $n++) {
    // Some posts are much discussed, most a little.
    $post = $ids[min(99, (int) ($random(10) ** 2 + $random(20)))];
    $parent = isset($given[$post]) && $random(3) === 0 ? $given[$post][$random(count($given[$post]))] : 0;
    $date = gmdate('Y-m-d H:i:s', gmmktime(12, $n, 0, 6, 1, 2024));
    $given[$post][] = wp_insert_comment([
        'comment_post_ID' => $post,
        'comment_author' => ucfirst($words[$random(20)]) . " $n",
        'comment_author_email' => "reader$n@bench.test",
        'comment_content' => $paragraph(1 + $random(4)),
        'comment_parent' => $parent,
        'comment_approved' => 1,
        'comment_date' => $date,
        'comment_date_gmt' => $date,
    ]);
}
wp_defer_comment_counting(false);
wp_defer_term_counting(false);
echo wp_count_posts()->publish, ' posts, ', wp_count_comments()->approved, " comments\n";
