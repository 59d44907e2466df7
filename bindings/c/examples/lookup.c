/* Looks positions up: the score of each, the scores of its moves, and a game of perfect play.
 *
 *     cc lookup.c $(pkg-config --cflags --libs fourbook) -o lookup
 *     ./lookup 44 4453
 */
#include <fourbook.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program if a call did not end well. */
static void check(fourbook_status status) {
    if (status != FOURBOOK_STATUS_OK) {
        fprintf(stderr, "%s\n", fourbook_last_error());
        exit(1);
    }
}

static void print_moves(const fourbook_analysis *analysis) {
    for (unsigned column = 0; column < analysis->width; column++) {
        int score = analysis->moves[column];
        if (score == FOURBOOK_UNPLAYABLE)
            printf("  column %u is full\n", column + 1);
        else
            printf("  column %u: %d\n", column + 1, score);
    }
}

int main(int count, char **texts) {
    fourbook_oracle *oracle;
    /* The built-in book, and the defaults. */
    check(fourbook_oracle_new(NULL, NULL, &oracle));
    for (int i = 1; i < count; i++) {
        fourbook_position position;
        check(fourbook_position_parse(7, 6, texts[i], &position));
        fourbook_analysis analysis;
        check(fourbook_oracle_analyse(oracle, &position, NULL, &analysis));
        printf("%s: %d\n", texts[i], analysis.score);
        print_moves(&analysis);

        fourbook_query *query;
        uint8_t columns[FOURBOOK_MAX_MOVES];
        size_t length;
        check(fourbook_query_new(oracle, &position, "line", &query));
        check(fourbook_query_step(query, NULL));
        check(fourbook_query_line(query, columns, sizeof columns, &length));
        fourbook_query_free(query);
        printf("  perfect play: ");
        for (size_t move = 0; move < length; move++)
            printf("%d", columns[move] + 1);
        printf("\n");
    }
    fourbook_oracle_free(oracle);
    return 0;
}
