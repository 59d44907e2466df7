/* Tests of fourbook for C: a program that includes the header checks its promises. Called with the
 * folder of the project's test data, the folder of its books, and a folder to write to. */
#define _GNU_SOURCE
#include <fourbook.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures;

#define CHECK(condition)                                                            \
    do {                                                                            \
        if (!(condition)) {                                                         \
            failures++;                                                             \
            fprintf(stderr, "%s:%d: %s\n", __func__, __LINE__, #condition);          \
        }                                                                           \
    } while (0)

/* A call that has to end well. */
#define OK(call)                                                                    \
    do {                                                                            \
        fourbook_status status_ = (call);                                           \
        if (status_ != FOURBOOK_STATUS_OK) {                                        \
            failures++;                                                             \
            fprintf(stderr, "%s:%d: %s: %s\n", __func__, __LINE__, #call,            \
                    fourbook_last_error());                                         \
        }                                                                           \
    } while (0)

/* A call that has to end with this status, and with an error text that has this part. */
static void refused(int line, fourbook_status found, fourbook_status expected, const char *part) {
    if (found != expected || !strstr(fourbook_last_error(), part)) {
        failures++;
        fprintf(stderr, "line %d: status %d, text: %s\n", line, (int)found, fourbook_last_error());
    }
}
#define REFUSED(call, status, part) refused(__LINE__, (call), FOURBOOK_STATUS_##status, part)

static fourbook_position parse(unsigned width, unsigned height, const char *text) {
    fourbook_position position;
    memset(&position, 0, sizeof position);
    OK(fourbook_position_parse(width, height, text, &position));
    return position;
}

/* Plays moves: columns from 1, then a to g, small or capital, from the tenth on. */
static void play(fourbook_position *position, const char *moves) {
    for (; *moves; moves++) {
        unsigned column = (unsigned)(*moves <= '9' ? *moves - '1' : (*moves | 32) - 'a' + 9);
        OK(fourbook_position_play(position, column, position));
    }
}

static void positions(void) {
    fourbook_position empty, position = parse(7, 6, "4453"), other;
    OK(fourbook_position_empty(7, 6, &empty));
    CHECK(memcmp(&empty, &position, sizeof empty));
    for (const char *move = "4453"; *move; move++)
        OK(fourbook_position_play(&empty, (unsigned)(*move - '1'), &empty));
    CHECK(!memcmp(&empty, &position, sizeof empty));

    uint64_t key[2], again[2];
    OK(fourbook_position_key(&position, key));
    OK(fourbook_position_from_key(7, 6, key, &other));
    OK(fourbook_position_key(&other, again));
    CHECK(key[0] == again[0] && key[1] == 0 && again[1] == 0);
    OK(fourbook_position_mirrored(&position, &other));
    OK(fourbook_position_mirrored(&other, &other));
    OK(fourbook_position_key(&other, again));
    CHECK(key[0] == again[0]);

    fourbook_state state;
    OK(fourbook_position_state(&position, &state));
    CHECK(state.ply == 4 && state.to_move == 1 && !state.winner && !state.over);
    CHECK(state.columns == 0x7f);
    position = parse(7, 6, "1213141");
    OK(fourbook_position_state(&position, &state));
    CHECK(state.winner == 1 && state.over && !state.columns && state.winning_cells[0] == 15);

    char text[64];
    size_t bytes;
    position = parse(7, 6, "445");
    OK(fourbook_position_to_text(&position, "moves", text, sizeof text, &bytes));
    CHECK(!strcmp(text, "445") && bytes == 4);
    REFUSED(fourbook_position_to_text(&position, "diagram", text, 47, &bytes), BUFFER_TOO_SMALL,
            "expected room for 48 bytes at 'text', found room for 47");
    CHECK(!strcmp(text, "445") && bytes == 48);
    OK(fourbook_position_to_text(&position, "diagram", NULL, 0, &bytes));
    CHECK(bytes == 48);

    /* Boards of more than 64 bits. */
    position = parse(16, 7, "1ga");
    OK(fourbook_position_key(&position, key));
    CHECK(key[1] != 0);
}

/* Every line of the file of cases: board, moves or '!' and a part of the error, text. */
static void notations(const char *data) {
    char path[4096], line[1024];
    snprintf(path, sizeof path, "%s/notations.tsv", data);
    FILE *file = fopen(path, "r");
    CHECK(file);
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        unsigned width, height;
        char *expected = strchr(line, '\t'), *text = expected ? strchr(expected + 1, '\t') : NULL;
        if (!text || line[0] == '#' || sscanf(line, "%ux%u", &width, &height) != 2)
            continue;
        *expected++ = 0, *text++ = 0;
        char *end = text;
        for (const char *from = text; *from; from++) {
            bool escape = *from == '\\' && (from[1] == 'n' || from[1] == 't');
            *end++ = escape ? (*++from == 'n' ? '\n' : '\t') : *from;
        }
        *end = 0;
        fourbook_position found, position;
        fourbook_status status = fourbook_position_parse(width, height, text, &found);
        if (*expected == '!') {
            refused(__LINE__, status, FOURBOOK_STATUS_BAD_POSITION, expected + 1);
            continue;
        }
        OK(status);
        OK(fourbook_position_empty(width, height, &position));
        play(&position, *expected == '-' ? "" : expected);
        if (memcmp(&found, &position, sizeof found)) {
            failures++;
            fprintf(stderr, "another position: %s\n", text);
        }
    }
    if (file)
        fclose(file);
}

static void bad_arguments(void) {
    fourbook_position position, untouched;
    memset(&untouched, 7, sizeof untouched);
    position = untouched;
    REFUSED(fourbook_position_empty(3, 6, &position), BAD_SIZE, "4x4");
    CHECK(!memcmp(&position, &untouched, sizeof position));
    REFUSED(fourbook_position_empty(7, 6, NULL), BAD_ARGUMENT, "null pointer");
    REFUSED(fourbook_position_parse(7, 6, NULL, &position), BAD_ARGUMENT, "'text'");
    REFUSED(fourbook_position_parse(7, 6, "48", &position), BAD_POSITION, "column");
    REFUSED(fourbook_position_parse(7, 6, "\xff", &position), BAD_ARGUMENT, "UTF-8");
    char *endless = malloc(1 << 26);
    memset(endless, '.', 1 << 26);
    endless[(1 << 26) - 1] = 0;
    REFUSED(fourbook_position_parse(7, 6, endless, &position), BAD_ARGUMENT,
            "expected 'text' to have at most 16,384 bytes, found 67,108,863 bytes");
    CHECK(strlen(fourbook_last_error()) < 500);
    free(endless);
    position = parse(7, 6, "444444");
    REFUSED(fourbook_position_play(&position, 3, &position), BAD_POSITION, "full");
    REFUSED(fourbook_position_play(&position, 7, &position), BAD_POSITION, "from 0 to 6");
    position.mover[0] = ~0ull;
    fourbook_oracle *oracle;
    OK(fourbook_oracle_new(NULL, NULL, &oracle));
    int8_t score = 99;
    REFUSED(fourbook_oracle_score(oracle, &position, NULL, &score), BAD_POSITION, "");
    position = parse(8, 8, "44");
    REFUSED(fourbook_oracle_score(oracle, &position, NULL, &score), BAD_SIZE, "7x6");
    position = parse(7, 6, "1213141");
    uint32_t column;
    REFUSED(fourbook_oracle_best_move(oracle, &position, NULL, &column), BAD_POSITION,
            "the game is over");
    for (column = 0; column < 7; column++)
        REFUSED(fourbook_position_play(&position, column, &position), BAD_POSITION,
                "comes after the end of the game");
    /* A stone on top of a game that is won. */
    fourbook_position beyond = position;
    beyond.mask[0] |= 1ull << 35;
    for (int i = 0; i < 2; i++) beyond.mover[i] = position.mover[i] ^ position.mask[i];
    REFUSED(fourbook_oracle_score(oracle, &beyond, NULL, &score), BAD_POSITION,
            "the game was over before the last stone");
    position = parse(7, 6, "44");
    REFUSED(fourbook_oracle_choose_move(oracle, &position, "godlike", 0, NULL, &column),
            BAD_ARGUMENT, "is not a level");
    REFUSED(fourbook_oracle_score(NULL, &position, NULL, &score), BAD_ARGUMENT, "'oracle'");
    REFUSED(fourbook_oracle_score(oracle, &position, NULL, NULL), BAD_ARGUMENT, "'score'");
    CHECK(score == 99);
    fourbook_oracle_free(oracle);
    fourbook_oracle_free(NULL);
    fourbook_book_free(NULL);
    fourbook_cancel_free(NULL);
}

/* Every byte of a struct that the library writes is set. */
#define SAME_BYTES(type, call)                                                      \
    do {                                                                            \
        type one, other;                                                            \
        memset(&one, 0xaa, sizeof one);                                             \
        memset(&other, 0x55, sizeof other);                                         \
        type *out = &one;                                                           \
        OK(call);                                                                   \
        out = &other;                                                               \
        OK(call);                                                                   \
        CHECK(!memcmp(&one, &other, sizeof one));                                   \
    } while (0)

static fourbook_status score_to(const fourbook_oracle *oracle, const fourbook_position *position,
                                fourbook_limits *limits, fourbook_stopped *stopped) {
    int8_t score;
    limits->stopped = stopped;
    CHECK(fourbook_oracle_score(oracle, position, limits, &score) == FOURBOOK_STATUS_NODE_BUDGET);
    return FOURBOOK_STATUS_OK;
}

static void equal_values_have_equal_bytes(void) {
    fourbook_oracle *oracle;
    fourbook_book *book;
    fourbook_position position = parse(7, 6, "4453");
    uint64_t key[2];
    OK(fourbook_oracle_new(NULL, NULL, &oracle));
    OK(fourbook_book_embedded(7, 6, &book));
    OK(fourbook_position_key(&position, key));
    SAME_BYTES(fourbook_position, fourbook_position_empty(7, 6, out));
    SAME_BYTES(fourbook_position, fourbook_position_parse(16, 7, "1ga", out));
    SAME_BYTES(fourbook_position, fourbook_position_play(&position, 3, out));
    SAME_BYTES(fourbook_position, fourbook_position_mirrored(&position, out));
    SAME_BYTES(fourbook_position, fourbook_position_from_key(7, 6, key, out));
    SAME_BYTES(fourbook_state, fourbook_position_state(&position, out));
    SAME_BYTES(fourbook_info, fourbook_book_info(book, out));
    fourbook_query *query;
    OK(fourbook_query_new(oracle, &position, "moves", &query));
    SAME_BYTES(fourbook_analysis, fourbook_query_analysis(query, out));
    fourbook_query_free(query);
    SAME_BYTES(fourbook_analysis, fourbook_oracle_analyse(oracle, &position, NULL, out));
    SAME_BYTES(fourbook_analysis, fourbook_oracle_analyse_many(oracle, &position, 1, NULL, out));
    fourbook_limits one_node = {.max_nodes = 1};
    position = parse(7, 6, "15155175261251");
    SAME_BYTES(fourbook_stopped, score_to(oracle, &position, &one_node, out));
    fourbook_book_free(book);
    fourbook_oracle_free(oracle);
}

static void bad_arrays(const char *folder) {
    fourbook_oracle *oracle;
    fourbook_book *book;
    fourbook_position position = parse(7, 6, "4453"), many[2] = {position, position};
    int8_t scores[2] = {99, 99};
    OK(fourbook_oracle_new(NULL, NULL, &oracle));
    REFUSED(fourbook_oracle_scores(oracle, &position, SIZE_MAX, NULL, scores), BAD_ARGUMENT,
            "values at 'positions', found 18,446,744,073,709,551,615 values");
    REFUSED(fourbook_book_from_bytes((const uint8_t *)"", SIZE_MAX, &book), BAD_ARGUMENT,
            "'bytes'");
    REFUSED(fourbook_oracle_scores(oracle, many, 2, NULL, NULL), BAD_ARGUMENT, "'scores'");
    REFUSED(fourbook_book_open("no such file", NULL), BAD_ARGUMENT, "'book'");
    REFUSED(fourbook_book_from_bytes((const uint8_t *)"x", 1, NULL), BAD_ARGUMENT, "'book'");
    fourbook_limits nowhere = {.stopped = (fourbook_stopped *)1};
    REFUSED(fourbook_oracle_score(oracle, &position, &nowhere, scores), BAD_ARGUMENT,
            "'limits.stopped', found an address");
    /* Any byte other than 0 is a yes. */
    fourbook_oracle_options without = {.no_book = 0xff, .memory = 1 << 20};
    fourbook_oracle *solver;
    OK(fourbook_book_embedded(7, 6, &book));
    REFUSED(fourbook_oracle_new(book, &without, &solver), BAD_ARGUMENT, "null for 'book'");
    fourbook_book_free(book);
    OK(fourbook_oracle_new(NULL, &without, &solver));
    fourbook_analysis nothing;
    fourbook_query *query;
    OK(fourbook_query_new(solver, &position, "moves", &query));
    OK(fourbook_query_analysis(query, &nothing));
    fourbook_query_free(query);
    CHECK(nothing.score == FOURBOOK_UNKNOWN);
    fourbook_oracle_free(solver);
    /* Cast by way of a number, since the compiler knows better. */
    fourbook_position *odd = (fourbook_position *)((uintptr_t)many + 1);
    REFUSED(fourbook_oracle_score(oracle, odd, NULL, scores), BAD_ARGUMENT,
            "'position', found an address that is no multiple of 8");
    REFUSED(fourbook_oracle_scores(oracle, odd, 1, NULL, scores), BAD_ARGUMENT, "'positions'");
    REFUSED(fourbook_position_empty(7, 6, odd), BAD_ARGUMENT, "no multiple of 8");
    REFUSED(fourbook_oracle_score(oracle, &position, (fourbook_limits *)odd, scores), BAD_ARGUMENT,
            "'limits'");
    /* Nothing is written if one of the positions is invalid. */
    many[1].mask[0] = ~0ull;
    REFUSED(fourbook_oracle_scores(oracle, many, 2, NULL, scores), BAD_POSITION, "");
    many[1] = parse(8, 8, "44");
    REFUSED(fourbook_oracle_scores(oracle, many, 2, NULL, scores), BAD_SIZE, "7x6");
    CHECK(scores[0] == 99 && scores[1] == 99);
    fourbook_oracle_free(oracle);

    /* A path is any bytes. */
    char path[1024];
    fourbook_generate_options options = {.width = 4, .height = 4, .depth = 2, .memory = 1 << 20};
    snprintf(path, sizeof path, "%s/\xff\xfe.book", folder);
    OK(fourbook_generate(path, &options, NULL, NULL, NULL));
    OK(fourbook_book_open(path, &book));
    fourbook_book_free(book);
}

static pthread_key_t at_end;
static int at_end_failed;

static void fail_at_end(void *unused) {
    (void)unused;
    fourbook_position position;
    at_end_failed = fourbook_position_empty(3, 6, &position) != FOURBOOK_STATUS_BAD_SIZE ||
                    !fourbook_last_error();
}

static void *end(void *unused) {
    (void)unused;
    pthread_setspecific(at_end, &at_end);
    fourbook_position_empty(3, 6, NULL);
    return NULL;
}

/* A destructor of a thread may call the library, whose own values of the thread are gone. */
static void calls_at_the_end_of_a_thread(void) {
    pthread_t thread;
    at_end_failed = 1;
    pthread_key_create(&at_end, fail_at_end);
    pthread_create(&thread, NULL, end, NULL);
    pthread_join(thread, NULL);
    CHECK(!at_end_failed);
}

static int count_positions(const fourbook_position *position, int8_t value, void *user) {
    (void)position, (void)value;
    ++*(int *)user;
    return 0;
}

static int stop_at_ten(const fourbook_position *position, int8_t value, void *user) {
    (void)position, (void)value;
    return ++*(int *)user == 10;
}

static void books(const char *folder) {
    char path[1024];
    fourbook_book *book, *copy;
    fourbook_info info;
    int8_t value = 99;
    fourbook_position position = parse(7, 6, "44");
    OK(fourbook_book_embedded(7, 6, &book));
    OK(fourbook_book_look_up(book, &position, &value));
    CHECK(value == 1);
    OK(fourbook_book_info(book, &info));
    CHECK(info.width == 7 && info.height == 6 && info.depth == 12 && info.has_scores);
    OK(fourbook_book_verify(book, false));
    int number = 0;
    OK(fourbook_book_positions(book, 4, count_positions, &number));
    CHECK(number == 568);
    number = 0;
    REFUSED(fourbook_book_positions(book, 6, stop_at_ten, &number), CANCELLED, "stop");
    CHECK(number == 10);
    position = parse(7, 6, "4444443333332");
    REFUSED(fourbook_book_look_up(book, &position, &value), NOT_IN_BOOK, "at most 12 stones");
    fourbook_book_free(book);

    snprintf(path, sizeof path, "%s/7x6-d8.book", folder);
    OK(fourbook_book_open(path, &book));
    OK(fourbook_book_verify(book, true));
    FILE *file = fopen(path, "rb");
    char *bytes = malloc(1 << 20);
    size_t length = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    OK(fourbook_book_from_bytes((const uint8_t *)bytes, length, &copy));
    fourbook_book_free(copy);
    REFUSED(fourbook_book_from_bytes((const uint8_t *)bytes, length - 1, &copy), BAD_BOOK, "bytes");
    bytes[length - 100] ^= 1;
    OK(fourbook_book_from_bytes((const uint8_t *)bytes, length, &copy));
    REFUSED(fourbook_book_verify(copy, false), BAD_BOOK, "checksum");
    fourbook_book_free(copy);
    free(bytes);
    REFUSED(fourbook_book_open("/no/such.book", &copy), IO, "/no/such.book");
    OK(fourbook_book_open(folder, &copy));
    OK(fourbook_book_info(copy, &info));
    CHECK(info.depth == 16);
    fourbook_book_free(copy);

    /* The oracle keeps what it needs of the book. */
    fourbook_oracle *oracle;
    OK(fourbook_oracle_new(book, NULL, &oracle));
    fourbook_book_free(book);
    position = parse(7, 6, "4453");
    OK(fourbook_oracle_score(oracle, &position, NULL, &value));
    CHECK(value == -2);
    fourbook_oracle_free(oracle);
    fourbook_oracle_options large = {.width = 8, .height = 8};
    OK(fourbook_book_embedded(7, 6, &book));
    REFUSED(fourbook_oracle_new(book, &large, &oracle), BAD_SIZE, "8x8");
    REFUSED(fourbook_book_embedded(16, 7, &copy), BAD_SIZE, "16x7");
    OK(fourbook_book_embedded(6, 5, &copy));
    OK(fourbook_book_info(copy, &info));
    CHECK(info.width == 6 && info.height == 5 && info.depth == 8);
    fourbook_book_free(copy);
    fourbook_book_free(book);
}

/* Checks a line of the conformance set, about a valid or a damaged book. Returns
 * whether the book answers with an error. */
static bool is_error(const fourbook_book *book, const char *name, const char *moves,
                     const char *expected) {
    fourbook_info info;
    fourbook_position position;
    int8_t value = 0;
    char found[8] = "unknown";
    OK(fourbook_book_info(book, &info));
    OK(fourbook_position_empty(info.width, info.height, &position));
    play(&position, strcmp(moves, "-") ? moves : "");
    fourbook_status status = fourbook_book_look_up(book, &position, &value);
    if (status == FOURBOOK_STATUS_BAD_BOOK)
        return true;
    if (status == FOURBOOK_STATUS_OK)
        snprintf(found, sizeof found, "%d", value);
    if (strcmp(found, expected)) {
        failures++;
        fprintf(stderr, "%s: %s is %s, not %s\n", name, moves, found, expected);
    }
    return false;
}

/* Every book of the conformance set is refused, or answers as its list says. */
static void conformance(const char *folder) {
    char path[1024], line[256], name[128] = "", verdict[16] = "", moves[128], expected[16];
    snprintf(path, sizeof path, "%s/conformance/expected.txt", folder);
    FILE *list = fopen(path, "r");
    fourbook_book *book = NULL;
    int books = 0, errors = 0;
    CHECK(list != NULL);
    while (list && fgets(line, sizeof line, list)) {
        if (sscanf(line, "book %127s %15s", name, verdict) == 2) {
            snprintf(path, sizeof path, "%s/conformance/%s", folder, name);
            fourbook_book_free(book);
            book = NULL;
            fourbook_status status = fourbook_book_open(path, &book);
            bool refused = status == FOURBOOK_STATUS_BAD_BOOK;
            if (refused ? !strcmp(verdict, "valid") : !strcmp(verdict, "refused")) {
                failures++;
                fprintf(stderr, "%s is %s: %s\n", name, verdict, fourbook_last_error());
            }
            errors += refused && !strcmp(verdict, "damaged");
            books++;
        } else if (book && sscanf(line, "%127s %15s", moves, expected) == 2 && *moves != '#') {
            bool error = is_error(book, name, moves, expected);
            CHECK(!error || !strcmp(verdict, "damaged"));
            errors += error;
        }
    }
    CHECK(books >= 60 && errors > 0);
    fourbook_book_free(book);
    if (list)
        fclose(list);
}

/* The scores that are known without a search. */
static void known(const fourbook_oracle *oracle, const fourbook_position *position,
                  fourbook_analysis *analysis) {
    fourbook_query *query;
    OK(fourbook_query_new(oracle, position, "moves", &query));
    OK(fourbook_query_analysis(query, analysis));
    fourbook_query_free(query);
}

static void answers(void) {
    fourbook_oracle *oracle;
    fourbook_analysis analysis;
    fourbook_position position = parse(7, 6, "4453");
    OK(fourbook_oracle_new(NULL, NULL, &oracle));
    known(oracle, &position, &analysis);
    const int8_t expected[7] = {-5, -5, -2, -3, -4, -2, -2};
    CHECK(analysis.score == -2 && analysis.complete && analysis.width == 7);
    CHECK(!memcmp(analysis.moves, expected, 7) && analysis.moves[7] == FOURBOOK_UNPLAYABLE);
    uint32_t column = 99;
    OK(fourbook_oracle_best_move(oracle, &position, NULL, &column));
    CHECK(column == 2);
    OK(fourbook_oracle_choose_move(oracle, &position, "casual", 7, NULL, &column));
    CHECK(column == 6);
    int8_t outcome = 99;
    OK(fourbook_oracle_outcome(oracle, &position, NULL, &outcome));
    CHECK(outcome == -1);
    position = parse(7, 6, "15155175261251");
    known(oracle, &position, &analysis);
    CHECK(analysis.score == FOURBOOK_UNKNOWN && !analysis.complete);
    CHECK(analysis.moves[0] == FOURBOOK_UNKNOWN);
    OK(fourbook_oracle_analyse(oracle, &position, NULL, &analysis));
    CHECK(analysis.complete && analysis.nodes > 0 && analysis.score == 1);
    uint64_t nodes = 0;
    OK(fourbook_oracle_nodes(oracle, &nodes));
    CHECK(nodes >= analysis.nodes);
    fourbook_oracle_free(oracle);

    /* Another board, without a book. */
    fourbook_oracle_options options = {.width = 4, .height = 4, .memory = 1 << 20, .threads = 1};
    OK(fourbook_oracle_new(NULL, &options, &oracle));
    OK(fourbook_position_empty(4, 4, &position));
    uint8_t line[FOURBOOK_MAX_MOVES] = {99};
    size_t length = 0;
    fourbook_query *query;
    OK(fourbook_query_new(oracle, &position, "line", &query));
    OK(fourbook_query_step(query, NULL));
    REFUSED(fourbook_query_line(query, line, 15, &length), BUFFER_TOO_SMALL,
            "expected room for 16 columns at 'columns', found room for 15");
    CHECK(length == 16 && line[0] == 99);
    OK(fourbook_query_line(query, NULL, 0, &length));
    CHECK(length == 16);
    OK(fourbook_query_line(query, line, sizeof line, &length));
    CHECK(length == 16 && line[0] < 4);
    fourbook_query_free(query);
    char text[FOURBOOK_MAX_EXPLANATION] = "";
    OK(fourbook_oracle_explain(oracle, &position, NULL, NULL, 0, &length));
    REFUSED(fourbook_oracle_explain(oracle, &position, NULL, text, length - 1, &length),
            BUFFER_TOO_SMALL, "expected room");
    OK(fourbook_oracle_explain(oracle, &position, NULL, text, length, &length));
    CHECK(strlen(text) + 1 == length && strstr(text, "The board is full after 16 stones: a draw."));
    fourbook_oracle_free(oracle);
}

/* The moves that the tests of every language expect: SIZE POSITION LEVEL SEED COLUMN. */
static void levels(const char *folder, size_t most) {
    char path[1024], moves[64], level[32];
    unsigned width, height, expected;
    unsigned long long seed;
    fourbook_oracle *standard, *large;
    fourbook_oracle_options options = {.width = 9, .height = 7, .memory = 1 << 20};
    const fourbook_limits patient = {.milliseconds = UINT64_MAX};
    OK(fourbook_oracle_new(NULL, NULL, &standard));
    OK(fourbook_oracle_new(NULL, &options, &large));
    snprintf(path, sizeof path, "%s/levels/moves.txt", folder);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    size_t number = 0;
    while (file && number < most && fscanf(file, "%ux%u %63s %31s %llu %u", &width, &height, moves,
                                           level, &seed, &expected) == 6) {
        fourbook_position position = parse(width, height, moves);
        uint32_t column = 99;
        OK(fourbook_oracle_choose_move(width == 7 ? standard : large, &position, level, seed,
                                       &patient, &column));
        CHECK(column + 1 == expected);
        number++;
    }
    if (file)
        fclose(file);
    CHECK(number == (most < 90 ? most : 90));
    fourbook_oracle_free(standard);
    fourbook_oracle_free(large);
}

static void strategies(const char *books) {
    char path[4096];
    snprintf(path, sizeof path, "%s/strategies/8x7-first-d12-wdl.strategy", books);
    fourbook_oracle_options options = {.width = 8, .height = 7, .memory = 1 << 20, .threads = 1};
    fourbook_limits few = {.max_nodes = 1};
    fourbook_position position;
    OK(fourbook_position_empty(8, 7, &position));
    fourbook_oracle *oracle;
    uint32_t embedded, column;
    OK(fourbook_oracle_new(NULL, &options, &oracle));
    OK(fourbook_oracle_choose_move(oracle, &position, NULL, 0, &few, &embedded));
    fourbook_oracle_free(oracle);
    options.no_book = true;
    OK(fourbook_oracle_new(NULL, &options, &oracle));
    REFUSED(fourbook_oracle_choose_move(oracle, &position, NULL, 0, &few, &column), NODE_BUDGET, "");
    for (int twice = 0; twice < 2; twice++)
        OK(fourbook_oracle_add_strategy(oracle, path));
    OK(fourbook_oracle_choose_move(oracle, &position, NULL, 0, &few, &column));
    CHECK(column == embedded);
    /* It keeps outcomes only. */
    REFUSED(fourbook_oracle_best_move(oracle, &position, &few, &column), NODE_BUDGET, "");
    snprintf(path, sizeof path, "%s/strategies/7x6-first-d16.strategy", books);
    REFUSED(fourbook_oracle_add_strategy(oracle, path), BAD_ARGUMENT, "found another: 7x6 for X");
    snprintf(path, sizeof path, "%s/7x6-d8.book", books);
    REFUSED(fourbook_oracle_add_strategy(oracle, path), BAD_BOOK, "expected a strategy");
    fourbook_oracle_free(oracle);
}

static void *cancel_soon(void *cancel) {
    fourbook_cancel_set(cancel);
    return NULL;
}

static void limits(void) {
    /* A board that is not solved while the test runs. */
    fourbook_oracle_options options = {
        .width = 8, .height = 8, .no_book = true, .memory = 16 << 20, .threads = 1};
    fourbook_oracle *oracle;
    OK(fourbook_oracle_new(NULL, &options, &oracle));
    fourbook_position position;
    OK(fourbook_position_empty(8, 8, &position));
    int8_t score;
    fourbook_stopped stopped;
    fourbook_limits few = {.max_nodes = 1000, .stopped = &stopped};
    REFUSED(fourbook_oracle_score(oracle, &position, &few, &score), NODE_BUDGET, "budget");
    /* The best move known is played, and what is proved is told. */
    uint32_t column;
    fourbook_position forced = parse(8, 8, "415");
    REFUSED(fourbook_oracle_choose_move(oracle, &forced, "perfect", 0, &few, &column),
            NODE_BUDGET, "any outcome for O");
    CHECK(column == 2 || column == 5); /* The other side has two in a row, both ends open. */
    CHECK(stopped.nodes == 1000 && stopped.min < 0 && stopped.max > 0);
    OK(fourbook_oracle_choose_move(oracle, &forced, "casual", 0, &few, &column));
    fourbook_limits soon = {.milliseconds = 5};
    REFUSED(fourbook_oracle_score(oracle, &position, &soon, &score), DEADLINE, "deadline");
    fourbook_cancel *cancel;
    OK(fourbook_cancel_new(&cancel));
    fourbook_limits until = {.cancel = cancel};
    pthread_t thread;
    pthread_create(&thread, NULL, cancel_soon, cancel);
    REFUSED(fourbook_oracle_score(oracle, &position, &until, &score), CANCELLED, "cancelled");
    pthread_join(thread, NULL);
    OK(fourbook_cancel_reset(cancel));
    position = parse(8, 8, "634727216256773846446444368174338368683232171718711");
    OK(fourbook_oracle_score(oracle, &position, &until, &score));
    CHECK(score == 7);
    fourbook_cancel_free(cancel);
    fourbook_oracle_free(oracle);
}

/* A question is answered in steps, each with limits of its own; the oracle may be gone. */
static void steps(void) {
    fourbook_oracle_options options = {.no_book = true, .memory = 16 << 20, .threads = 1};
    fourbook_oracle *oracle;
    fourbook_query *query;
    OK(fourbook_oracle_new(NULL, &options, &oracle));
    fourbook_position position = parse(7, 6, "56227367215");
    REFUSED(fourbook_query_new(oracle, &position, "worst", &query), BAD_ARGUMENT,
            "score, outcome, moves, best-move, best-moves or line");
    REFUSED(fourbook_query_new(oracle, &position, NULL, &query), BAD_ARGUMENT, "'question'");
    REFUSED(fourbook_query_new(oracle, &position, "score", NULL), BAD_ARGUMENT, "'query'");
    REFUSED(fourbook_query_step(NULL, NULL), BAD_ARGUMENT, "'query'");
    OK(fourbook_query_new(oracle, &position, "score", &query));
    fourbook_oracle_free(oracle);
    fourbook_cancel *cancel;
    fourbook_analysis analysis;
    fourbook_stopped stopped;
    OK(fourbook_cancel_new(&cancel));
    OK(fourbook_cancel_set(cancel));
    fourbook_limits limits = {.cancel = cancel, .max_nodes = 10000, .stopped = &stopped};
    REFUSED(fourbook_query_step(query, &limits), CANCELLED, "cancelled");
    OK(fourbook_cancel_reset(cancel));
    uint64_t nodes = stopped.nodes;
    int number = 0;
    fourbook_status status;
    while ((status = fourbook_query_step(query, &limits)) == FOURBOOK_STATUS_NODE_BUDGET) {
        OK(fourbook_query_analysis(query, &analysis));
        CHECK(analysis.score == FOURBOOK_UNKNOWN && analysis.min < analysis.max);
        CHECK(analysis.nodes == stopped.nodes && stopped.nodes == nodes + 10000);
        nodes = stopped.nodes;
        number++;
    }
    OK(status);
    OK(fourbook_query_step(query, &limits));
    OK(fourbook_query_analysis(query, &analysis));
    CHECK(number > 0 && analysis.score == 2 && analysis.min == 2 && analysis.nodes > nodes);
    fourbook_query_free(query);
    fourbook_query_free(NULL);
    fourbook_cancel_free(cancel);
}

/* What a call has found when it stops is data. */
static void results_at_a_limit(void) {
    fourbook_oracle_options options = {.no_book = true, .memory = 16 << 20, .threads = 1};
    fourbook_oracle *oracle;
    OK(fourbook_oracle_new(NULL, &options, &oracle));
    fourbook_position position = parse(7, 6, "4"), many[3] = {parse(7, 6, "112233"), position,
                                                              parse(7, 6, "11223")};
    fourbook_stopped stopped;
    fourbook_limits few = {.max_nodes = 30000, .stopped = &stopped};
    int8_t score = 99, scores[3];
    REFUSED(fourbook_oracle_score(oracle, &position, &few, &score), NODE_BUDGET, "budget");
    CHECK(score == 99 && stopped.nodes == 30000 && stopped.min < 0 && stopped.max > 0);
    CHECK(stopped.min > -20 && stopped.max < 20);

    fourbook_analysis analysis, analyses[3];
    REFUSED(fourbook_oracle_analyse(oracle, &position, &few, &analysis), NODE_BUDGET, "budget");
    CHECK(!analysis.complete && analysis.width == 7 && analysis.nodes == 30000);
    CHECK(analysis.score == FOURBOOK_UNKNOWN && analysis.moves[0] == FOURBOOK_UNKNOWN);
    CHECK(analysis.min < 0 && analysis.max > 0 && analysis.min > -20 && analysis.max < 20);

    REFUSED(fourbook_oracle_scores(oracle, many, 3, &few, scores), NODE_BUDGET, "budget");
    CHECK(stopped.nodes == 30000 && stopped.min == FOURBOOK_UNKNOWN);
    CHECK(scores[0] == 18 && scores[1] == FOURBOOK_UNKNOWN);
    CHECK(stopped.solved == 1u + (scores[2] != FOURBOOK_UNKNOWN));
    REFUSED(fourbook_oracle_analyse_many(oracle, many, 3, &few, analyses), NODE_BUDGET, "budget");
    CHECK(analyses[0].score == 18 && analyses[1].score == FOURBOOK_UNKNOWN);
    CHECK(!analyses[1].complete);
    fourbook_oracle_free(oracle);
}

/* Solves the largest boards. */
static void *search_deeply(void *unused) {
    (void)unused;
    const unsigned sizes[][2] = {{7, 6}, {10, 11}, {16, 7}, {4, 31}, {8, 15}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        fourbook_oracle_options options = {.width = sizes[i][0], .height = sizes[i][1],
                                           .no_book = true, .memory = 1 << 20};
        fourbook_limits few = {.max_nodes = 100000};
        fourbook_oracle *oracle;
        fourbook_position position;
        fourbook_analysis analysis;
        char text[FOURBOOK_MAX_EXPLANATION];
        size_t bytes;
        int8_t score;
        uint32_t column;
        for (options.threads = 1; options.threads < 4; options.threads += 2) {
            OK(fourbook_oracle_new(NULL, &options, &oracle));
            OK(fourbook_position_empty(options.width, options.height, &position));
            CHECK(fourbook_oracle_score(oracle, &position, &few, &score));
            CHECK(fourbook_oracle_analyse(oracle, &position, &few, &analysis));
            CHECK(fourbook_oracle_explain(oracle, &position, &few, text, sizeof text, &bytes));
            OK(fourbook_position_play(&position, 1, &position));
            fourbook_oracle_choose_move(oracle, &position, "casual", 0, &few, &column);
            OK(fourbook_position_to_text(&position, "moves", text, sizeof text, &bytes));
            fourbook_oracle_free(oracle);
        }
    }
    fourbook_book *book;
    fourbook_oracle *oracle;
    fourbook_analysis analysis;
    fourbook_position position = parse(7, 6, "4444443333332");
    OK(fourbook_book_embedded(7, 6, &book));
    OK(fourbook_book_verify(book, false));
    OK(fourbook_oracle_new(book, NULL, &oracle));
    OK(fourbook_oracle_analyse(oracle, &position, NULL, &analysis));
    fourbook_oracle_free(oracle);
    fourbook_book_free(book);
    return NULL;
}

/* The threads of musl have 128 KiB of stack. */
static void small_stacks(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 128 << 10);
    pthread_create(&thread, &attributes, search_deeply, NULL);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

/* Leaves this process little more memory than it has. */
static void limit_memory(size_t more) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%lu", &pages) == 1);
    if (file)
        fclose(file);
    struct rlimit limit = {pages * (size_t)sysconf(_SC_PAGESIZE) + more, RLIM_INFINITY};
    CHECK(!setrlimit(RLIMIT_AS, &limit));
}

/* Many positions, whose memory is the same file again and again. */
static fourbook_position *many_positions(size_t number) {
    const size_t repeated = 1 << 15, bytes = repeated * sizeof(fourbook_position);
    const size_t files = number / repeated + 1;
    FILE *file = tmpfile();
    fourbook_position position = parse(7, 6, "112233");
    for (size_t i = 0; i < repeated; i++)
        CHECK(fwrite(&position, sizeof position, 1, file) == 1);
    fflush(file);
    char *all = mmap(NULL, files * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < files; i++)
        mmap(all + i * bytes, bytes, PROT_READ, MAP_SHARED | MAP_FIXED, fileno(file), 0);
    fclose(file);
    return (fourbook_position *)all;
}

/* A lack of memory is a status. */
static void little_memory(void) {
    const size_t number = 20000000, length = 1 << 30;
    fourbook_oracle_options options = {.no_book = true, .memory = 1 << 20, .threads = 1};
    fourbook_oracle *oracle, *large;
    fourbook_book *book;
    fourbook_position empty, position = parse(7, 6, "15155175261251");
    int8_t score, *scores = malloc(number);
    uint8_t *bytes = calloc(length, 1);
    fourbook_position *positions = many_positions(number);
    OK(fourbook_oracle_new(NULL, &options, &oracle));
    OK(fourbook_oracle_score(oracle, &position, NULL, &score));
    limit_memory(64 << 20);
    OK(fourbook_oracle_scores(oracle, positions, number, NULL, scores));
    CHECK(scores[0] == 18 && scores[number - 1] == 18);
    REFUSED(fourbook_book_from_bytes(bytes, length, &book), NO_MEMORY, "1,073,741,824 bytes");
    options.memory = (size_t)1 << 40;
    REFUSED(fourbook_oracle_new(NULL, &options, &large), NO_MEMORY, "ask for less memory");
    options.memory = SIZE_MAX;
    REFUSED(fourbook_oracle_new(NULL, &options, &large), NO_MEMORY, "ask for less memory");
    limit_memory(2 << 20);
    OK(fourbook_position_empty(7, 6, &empty));
    fourbook_limits few = {.max_nodes = 1000};
    REFUSED(fourbook_oracle_score(oracle, &empty, &few, &score), NO_MEMORY, "no thread");
    fourbook_oracle_free(oracle);
}

/* In a process of its own, since limits stay. */
static void a_lack_of_memory(void) {
    pid_t child = fork();
    if (!child) {
        failures = 0;
        little_memory();
        _exit(failures > 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
}

struct Known {
    fourbook_position *positions;
    int8_t *scores;
    size_t number;
};

static struct Known test_data(const char *folder, const char *name, size_t most) {
    char path[1024], line[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    struct Known known = {calloc(most, sizeof *known.positions), calloc(most, 1), 0};
    CHECK(file != NULL);
    while (file && known.number < most && fgets(line, sizeof line, file)) {
        char moves[128];
        int score;
        if (sscanf(line, "%127s %d", moves, &score) != 2)
            continue;
        known.positions[known.number] = parse(7, 6, moves);
        known.scores[known.number++] = (int8_t)score;
    }
    if (file)
        fclose(file);
    CHECK(known.number > 0);
    return known;
}

static void free_known(struct Known known) {
    free(known.positions);
    free(known.scores);
}

static void known_scores(const char *folder, const char *name, size_t most) {
    fourbook_oracle *oracle;
    OK(fourbook_oracle_new(NULL, NULL, &oracle));
    struct Known known = test_data(folder, name, most);
    int8_t *scores = calloc(known.number, 1);
    fourbook_analysis *analyses = calloc(known.number, sizeof *analyses);
    OK(fourbook_oracle_scores(oracle, known.positions, known.number, NULL, scores));
    CHECK(!memcmp(scores, known.scores, known.number));
    size_t few = known.number < 50 ? known.number : 50;
    OK(fourbook_oracle_analyse_many(oracle, known.positions, few, NULL, analyses));
    for (size_t i = 0; i < few; i++)
        CHECK(analyses[i].score == known.scores[i] && analyses[i].complete);
    OK(fourbook_oracle_scores(oracle, NULL, 0, NULL, NULL));
    REFUSED(fourbook_oracle_scores(oracle, NULL, 1, NULL, scores), BAD_ARGUMENT, "'positions'");
    free(analyses);
    free(scores);
    free_known(known);
    fourbook_oracle_free(oracle);
}

struct Shared {
    fourbook_oracle *oracle;
    struct Known known;
    int wrong;
};

static void *ask(void *argument) {
    struct Shared *shared = argument;
    for (size_t i = 0; i < shared->known.number; i++) {
        int8_t score = 99;
        if (fourbook_oracle_score(shared->oracle, &shared->known.positions[i], NULL, &score) ||
            score != shared->known.scores[i])
            shared->wrong++;
        /* Each thread has a text of its own. */
        fourbook_position none;
        if (fourbook_position_parse(7, 6, i % 2 ? "8" : "x", &none) == FOURBOOK_STATUS_OK ||
            !*fourbook_last_error())
            shared->wrong++;
    }
    return NULL;
}

static void threads(const char *folder, size_t most) {
    struct Shared shared[4];
    pthread_t handles[4];
    fourbook_oracle *oracle;
    OK(fourbook_oracle_new(NULL, NULL, &oracle));
    struct Known known = test_data(folder, "end-easy.txt", most < 100 ? most : 100);
    for (int i = 0; i < 4; i++) {
        shared[i] = (struct Shared){oracle, known, 0};
        pthread_create(&handles[i], NULL, ask, &shared[i]);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(handles[i], NULL);
        CHECK(shared[i].wrong == 0);
    }
    free_known(known);
    fourbook_oracle_free(oracle);
}

static int note_step(const char *step, uint64_t done, uint64_t total, void *user) {
    int *calls = user;
    CHECK(*step && (done <= total || !total));
    ++*calls;
    return 0;
}

static int stop(const char *step, uint64_t done, uint64_t total, void *user) {
    (void)step, (void)done, (void)total;
    ++*(int *)user;
    return 1;
}

static void generating(const char *folder) {
    char path[1024];
    snprintf(path, sizeof path, "%s/made-in-c.book", folder);
    fourbook_generate_options options = {
        .width = 5, .height = 4, .depth = 6, .threads = 2, .memory = 1 << 20, .compact = true};
    int calls = 0;
    REFUSED(fourbook_generate(path, &options, stop, &calls, NULL), CANCELLED, "");
    CHECK(calls > 0);
    fourbook_generate_options deep = {.depth = 99};
    REFUSED(fourbook_generate(path, &deep, NULL, NULL, NULL), BAD_ARGUMENT, "99 is too deep");
    fourbook_generate_options small = {.width = 3, .height = 3};
    REFUSED(fourbook_generate(path, &small, NULL, NULL, NULL), BAD_SIZE, "4x4");
    calls = 0;
    OK(fourbook_generate(path, &options, note_step, &calls, NULL));
    CHECK(calls > 3);
    fourbook_book *book;
    fourbook_info info;
    OK(fourbook_book_open(path, &book));
    OK(fourbook_book_info(book, &info));
    CHECK(info.width == 5 && info.height == 4 && info.depth == 6);
    OK(fourbook_book_verify(book, true));
    fourbook_book_free(book);
}

int main(int count, char **arguments) {
    if (count < 4 || (count == 5 && strcmp(arguments[4], "quick")) || count > 5) {
        fprintf(stderr, "expected: test DATA BOOKS SCRATCH [quick]\n");
        return 2;
    }
    /* Under valgrind, which watches every access. */
    size_t few = count == 5 ? 20 : 1000;
    CHECK(*fourbook_last_error() == 0);
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", FOURBOOK_VERSION_MAJOR, FOURBOOK_VERSION_MINOR,
             FOURBOOK_VERSION_PATCH);
    CHECK(!strcmp(fourbook_version(), FOURBOOK_VERSION));
    CHECK(!strncmp(fourbook_version(), version, strlen(version)));
    /* First, since later there is memory that threads have left. */
    if (count == 4)
        a_lack_of_memory();
    positions();
    notations(arguments[1]);
    bad_arguments();
    equal_values_have_equal_bytes();
    bad_arrays(arguments[3]);
    calls_at_the_end_of_a_thread();
    results_at_a_limit();
    if (count == 4)
        small_stacks();
    books(arguments[2]);
    conformance(arguments[2]);
    answers();
    levels(arguments[1], few);
    strategies(arguments[2]);
    limits();
    steps();
    known_scores(arguments[1], "end-easy.txt", few);
    if (count == 4) {
        known_scores(arguments[1], "middle-easy.txt", few);
        known_scores(arguments[1], "middle-medium.txt", few);
        known_scores(arguments[1], "quick-wins.txt", few);
        known_scores(arguments[1], "begin-easy.txt", few);
    }
    threads(arguments[1], few);
    generating(arguments[3]);
    if (failures)
        fprintf(stderr, "%d checks failed\n", failures);
    else
        printf("all checks passed\n");
    return failures > 0;
}
