/* Solves a position in steps, and shows the bounds of its score after each.
 *
 *     cc steps.c $(pkg-config --cflags --libs fourbook) -o steps
 *     ./steps 4
 */
#include <fourbook.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(void) {
    fprintf(stderr, "%s\n", fourbook_last_error());
    exit(1);
}

int main(int count, char **texts) {
    fourbook_oracle_options options = {.no_book = 1};
    fourbook_limits limits = {.milliseconds = 100};
    fourbook_oracle *oracle;
    fourbook_position position;
    fourbook_query *query;
    if (fourbook_oracle_new(NULL, &options, &oracle) ||
        fourbook_position_parse(7, 6, count > 1 ? texts[1] : "4", &position) ||
        fourbook_query_new(oracle, &position, "score", &query))
        fail();
    fourbook_oracle_free(oracle);
    fourbook_analysis known;
    fourbook_status status;
    do {
        /* Between the steps, a program can also look for a key, or give up. */
        status = fourbook_query_step(query, &limits);
        if (status != FOURBOOK_STATUS_OK && status != FOURBOOK_STATUS_DEADLINE)
            fail();
        if (fourbook_query_analysis(query, &known))
            fail();
        printf("%d to %d, %llu nodes\n", known.min, known.max, (unsigned long long)known.nodes);
    } while (status != FOURBOOK_STATUS_OK);
    printf("score %d\n", known.score);
    fourbook_query_free(query);
    return 0;
}
