/*
 * A bot for Connect Four on @size@ boards, in one file without dependencies (C99).
 *
 *     best_move("44")
 *
 * is the column of the best move after two moves in column 4. Columns count from 1; in a game, the
 * tenth is a or A, the next one b or B. Blanks count for nothing. The result is 0 if this is no game, or
 * if the game is over.
 *
 * The bot has perfect moves of @contents@.
 * @kept@
 * It searches all other positions. A search that reaches TIME_LIMIT ends with the best move known so
 * far; all other moves are proved.
 *
 * As a program, it reads a game a line from standard input and prints the best move of each:
 *
 *     cc -O2 bot.c -o bot
 *     echo 44 | ./bot
 *
 * BOT_WITHOUT_MAIN leaves the program out, for files that declare best_move themselves. One thread may
 * call it at a time.
 *
 * Made by fourbook @version@. Licence: MIT or Apache-2.0.
 */

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int best_move(const char *moves);

#define WIDTH @width@
#define HEIGHT @height@
#define CELLS (WIDTH * HEIGHT)

/* Seconds that a search may take. */
#define TIME_LIMIT 1.0

/* 1 if the moves keep win or draw only, 0 if they win as soon and lose as late as possible. */
#define OUTCOMES_ONLY @outcomes@

/* The names of the columns in a game. */
static const char COLUMN_NAMES[] = "123456789abcdefg";

/* ---- Boards ---------------------------------------------------------------------------------- */

/* A set of cells. Each cell is a bit: column * RISE + row, both from 0, the lowest row first. The bit
 * above each column is free, so that lines do not go on in the next column. */
typedef uint64_t Cells;

#define RISE (HEIGHT + 1)
#define FULL_COLUMN (((Cells)1 << HEIGHT) - 1)
#define BOTTOM ((~(Cells)0 >> (64 - WIDTH * RISE)) / (((Cells)2 << HEIGHT) - 1))
#define BOARD (BOTTOM * FULL_COLUMN)

/* A position: the stones of the side to move, and all stones. */
typedef struct {
    Cells own, all;
} Position;

static Cells column_cells(int column) {
    return FULL_COLUMN << (column * RISE);
}

/* The column of a cell. */
static int column_of(Cells cell) {
    int column = 0;
    while (!(cell & column_cells(column))) {
        column++;
    }
    return column;
}

/* The columns from the centre outwards, the left one first of two: the column with a number. */
static int from_centre(int number) {
    int step = (number + 1) / 2;
    int goes_left = (number + WIDTH) % 2 == 0;
    return (WIDTH - 1) / 2 + (goes_left ? -step : step);
}

static int count(Cells cells) {
    int number = 0;
    for (; cells; cells &= cells - 1) {
        number++;
    }
    return number;
}

/* The lowest empty cell of each column that is not full. */
static Cells playable(Cells all) {
    return (all + BOTTOM) & BOARD;
}

/* The position after a stone in a cell. */
static Position play(Position position, Cells cell) {
    Position after = {position.own ^ position.all, position.all | cell};
    return after;
}

/* The cells that complete four in a direction, in which neighbours are `step` bits apart. */
static Cells completing(Cells stones, int step) {
    Cells before = stones << step;
    Cells after = stones >> step;
    return (before & before << step & (before << 2 * step | after)) |
           (after & after >> step & (after >> 2 * step | before));
}

/* The empty cells that complete four of these stones, playable or not. */
static Cells threats(Cells stones, Cells all) {
    Cells cells = stones << 1 & stones << 2 & stones << 3;
    cells |= completing(stones, RISE - 1) | completing(stones, RISE) | completing(stones, RISE + 1);
    return cells & BOARD & ~all;
}

/* The moves after which the opponent, who has these threats, cannot win at once. */
static Cells safe_moves(Cells all, Cells opponent_threats) {
    Cells moves = playable(all);
    Cells forced = moves & opponent_threats;
    if (forced) {
        moves = forced & (forced - 1) ? 0 : forced;
    }
    return moves & ~(opponent_threats >> 1);
}

/* A number that no other position has. */
static Cells key_of(Position position) {
    return position.own + position.all + BOTTOM;
}

/* The position with a key: the highest bit of each column is its height, those below are stones. */
static Position position_of(Cells key) {
    Cells filled = key;
    for (int row = 0; row < HEIGHT; row++) {
        filled |= filled >> 1 & BOARD;
    }
    Cells all = filled >> 1 & BOARD;
    Position position = {key & all, all};
    return position;
}

static Cells mirrored(Cells key) {
    Cells mirror = 0;
    for (int column = 0; column < WIDTH; column++) {
        Cells bits = key >> (column * RISE) & (((Cells)2 << HEIGHT) - 1);
        mirror |= bits << ((WIDTH - 1 - column) * RISE);
    }
    return mirror;
}

/* The smaller key of a position and its mirror image. */
static Cells canonical_key(Position position) {
    Cells key = key_of(position);
    Cells mirror = mirrored(key);
    return mirror < key ? mirror : key;
}

/* ---- The strategies -------------------------------------------------------------------------- */

/* A position that the player of a strategy meets, and the column of the move. */
typedef struct {
    Cells key;
    int8_t least; /* the least value that it can have, if there are values */
    int8_t column;
} Entry;

/* A list of positions. */
typedef struct {
    Entry *entries;
    size_t length, room;
} List;

/* A strategy: the moves of one player, as coded bits. They are decoded ply by ply, as each ply follows
 * from the one before. */
typedef struct {
    int depth;      /* the stones before the last moves; -1 without a strategy */
    int has_values; /* whether values stand between the moves */
    const char *const *text;
    size_t line, place; /* of the next character */
    uint32_t bits;      /* of characters that are not used up */
    int bit_count;
    uint32_t range, code;
    uint8_t counts[512][2];
    int decoded;       /* the plies before this one are decoded */
    List plies[CELLS]; /* by stones, those that are decoded and the next one */
} Strategy;

static const char *const FIRST[] = {
    "@first@",
    NULL};

static const char *const SECOND[] = {
    "@second@",
    NULL};

/* That of the first player and that of the second. */
static Strategy strategies[2] = {
    {.depth = @first_depth@, .has_values = @first_values@, .text = FIRST},
    {.depth = @second_depth@, .has_values = @second_values@, .text = SECOND},
};

static void *allocate(void *old, size_t bytes) {
    void *memory = realloc(old, bytes);
    if (!memory) {
        fputs("bot: no memory\n", stderr);
        exit(1);
    }
    return memory;
}

static void append(List *list, Entry entry) {
    if (list->length == list->room) {
        list->room = 2 * list->room + 16;
        list->entries = allocate(list->entries, list->room * sizeof(Entry));
    }
    list->entries[list->length++] = entry;
}

/* The next byte of base64; zeros follow the last one. */
static uint8_t next_byte(Strategy *strategy) {
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    while (strategy->bit_count < 8) {
        const char *line = strategy->text[strategy->line];
        uint32_t digit = 0;
        if (line && !line[strategy->place]) {
            strategy->line++;
            strategy->place = 0;
            continue;
        }
        if (line) {
            digit = (uint32_t)(strchr(DIGITS, line[strategy->place++]) - DIGITS);
        }
        strategy->bits = strategy->bits << 6 | digit;
        strategy->bit_count += 6;
    }
    strategy->bit_count -= 8;
    return (uint8_t)(strategy->bits >> strategy->bit_count);
}

/* Decodes a bit. Each context learns how likely its bits are. */
static int next_bit(Strategy *strategy, int context) {
    uint8_t *counts = strategy->counts[context];
    uint32_t zero = strategy->range / (counts[0] + counts[1]) * counts[0];
    int bit = strategy->code >= zero;
    if (bit) {
        strategy->code -= zero;
        strategy->range -= zero;
    } else {
        strategy->range = zero;
    }
    counts[bit] += 2;
    if (counts[0] + counts[1] > 64) {
        counts[0] = (uint8_t)((counts[0] + 1) / 2);
        counts[1] = (uint8_t)((counts[1] + 1) / 2);
    }
    while (strategy->range < (uint32_t)1 << 24) {
        strategy->range <<= 8;
        strategy->code = strategy->code << 8 | next_byte(strategy);
    }
    return bit;
}

/* A move that the strategy can choose. */
typedef struct {
    int column;
    Cells after; /* the canonical key after it */
    int threatens;
} Choice;

/* The moves after which the opponent cannot win at once, from the centre outwards, one of two that lead
 * to mirror images; if there are none, the first legal one. */
static int list_choices(Position position, Choice choices[WIDTH]) {
    Cells before = threats(position.own, position.all);
    Cells safe = safe_moves(position.all, threats(position.own ^ position.all, position.all));
    Cells moves = safe ? safe : playable(position.all);
    int length = 0;
    for (int number = 0; number < WIDTH; number++) {
        int column = from_centre(number);
        Cells cell = moves & column_cells(column);
        if (!cell) {
            continue;
        }
        Position child = play(position, cell);
        Choice choice = {column, canonical_key(child), 0};
        choice.threatens = (threats(position.own | cell, child.all) & ~before) != 0;
        int is_new = 1;
        for (int other = 0; other < length; other++) {
            is_new &= choices[other].after != choice.after;
        }
        if (is_new) {
            choices[length++] = choice;
        }
        if (!safe) {
            break;
        }
    }
    return length;
}

/* The place of a key in a table of 2^log2 keys, or the free place for it. */
static size_t place_of(const Cells *table, int log2, Cells key) {
    size_t place = (size_t)(key * 0x9e3779b97f4a7c15u >> (64 - log2));
    while (table[place] && table[place] != key) {
        place = (place + 1) & (((size_t)1 << log2) - 1);
    }
    return place;
}

/* Adds the positions after the opponent's replies in which the player has to choose: the game goes on,
 * and the player cannot win at once. */
static void add_replies(List *list, Position position, int least) {
    for (int column = 0; column < WIDTH; column++) {
        Cells cell = playable(position.all) & column_cells(column);
        Position reply = play(position, cell);
        int has_won = (threats(position.own, position.all) & cell) != 0;
        int wins = (threats(reply.own, reply.all) & playable(reply.all)) != 0;
        if (cell && !has_won && !wins && reply.all != BOARD) {
            Entry entry = {canonical_key(reply), (int8_t)least, 0};
            append(list, entry);
        }
    }
}

/* The order of keys; of equal ones, the greatest value first. */
static int compare(const void *left, const void *right) {
    const Entry *one = left;
    const Entry *other = right;
    if (one->key != other->key) {
        return one->key < other->key ? -1 : 1;
    }
    return other->least - one->least;
}

/* Sorts a list and removes all but the first of equal keys. */
static void sort(List *list) {
    if (!list->length) {
        return;
    }
    qsort(list->entries, list->length, sizeof(Entry), compare);
    size_t length = 1;
    for (size_t number = 1; number < list->length; number++) {
        if (list->entries[number].key != list->entries[length - 1].key) {
            list->entries[length++] = list->entries[number];
        }
    }
    list->length = length;
}

/* Decodes the value of a position: a bit for each value from the least on, 1 for the right one. */
static int decode_value(Strategy *strategy, int least, int ply) {
    int most = CELLS - ply - 1 > 0 ? (CELLS - ply - 1) / 2 : 0;
    if (OUTCOMES_ONLY && most > 1) {
        most = 1;
    }
    int context = least < 0 ? 128 : least == 0 ? 256 : 384;
    int value = least;
    while (value < most && !next_bit(strategy, context + value - least)) {
        value++;
    }
    return value;
}

/* Decodes the moves of a ply, and finds the positions of the player's next one. A move is more likely
 * if the ply has chosen the position after it before, or if it makes a threat. */
static void decode_ply(Strategy *strategy, int ply) {
    List *list = &strategy->plies[ply];
    List next = {NULL, 0, 0};
    int log2 = 4;
    while ((size_t)1 << log2 < 2 * list->length) {
        log2++;
    }
    Cells *chosen = allocate(NULL, sizeof(Cells) << log2);
    memset(chosen, 0, sizeof(Cells) << log2);
    for (size_t number = 0; number < list->length; number++) {
        Entry *entry = &list->entries[number];
        Choice choices[WIDTH];
        int length = list_choices(position_of(entry->key), choices);
        int is_chosen[WIDTH];
        for (int place = 0; place < length; place++) {
            is_chosen[place] = chosen[place_of(chosen, log2, choices[place].after)] != 0;
        }
        int choice = 0;
        for (; choice < length - 1; choice++) {
            int later = 0;
            for (int place = choice + 1; place < length; place++) {
                later |= is_chosen[place];
            }
            int context = 8 * (length - 1 - choice) + 4 * is_chosen[choice] + 2 * later;
            if (next_bit(strategy, context + choices[choice].threatens)) {
                break;
            }
        }
        Cells after = choices[choice].after;
        chosen[place_of(chosen, log2, after)] = after;
        entry->column = (int8_t)choices[choice].column;
        int value = entry->least;
        if (strategy->has_values) {
            value = decode_value(strategy, entry->least, ply);
        }
        add_replies(&next, position_of(after), value);
    }
    free(chosen);
    sort(&next);
    if (ply + 2 < CELLS) {
        strategy->plies[ply + 2] = next;
    } else {
        free(next.entries);
    }
    strategy->decoded = ply + 2;
}

/* Begins with the first positions: the empty board, or those after one stone. */
static void begin(Strategy *strategy, int player) {
    Position empty = {0, 0};
    int least = OUTCOMES_ONLY ? -1 : -((CELLS - 5) / 2);
    Entry entry = {key_of(empty), (int8_t)least, 0};
    if (player == 0) {
        append(&strategy->plies[0], entry);
    } else {
        add_replies(&strategy->plies[1], empty, least);
        sort(&strategy->plies[1]);
    }
    memset(strategy->counts, 1, sizeof(strategy->counts));
    strategy->range = UINT32_MAX;
    for (int byte = 0; byte < 4; byte++) {
        strategy->code = strategy->code << 8 | next_byte(strategy);
    }
    strategy->decoded = player;
}

/* The column that the strategy of the side to move plays; -1 if it does not have the position. */
static int strategy_move(Position position, int ply) {
    Strategy *strategy = &strategies[ply % 2];
    if (ply > strategy->depth) {
        return -1;
    }
    if (strategy->range == 0) {
        begin(strategy, ply % 2);
    }
    while (strategy->decoded <= ply) {
        decode_ply(strategy, strategy->decoded);
    }
    Entry wanted = {canonical_key(position), 0, 0};
    size_t low = 0;
    size_t high = strategy->plies[ply].length;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const Entry *entry = &strategy->plies[ply].entries[middle];
        if (entry->key == wanted.key) {
            return wanted.key == key_of(position) ? entry->column : WIDTH - 1 - entry->column;
        }
        if (entry->key < wanted.key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return -1;
}

/* ---- The search ------------------------------------------------------------------------------ */

/* Scores are for the side to move: 0 for a draw, positive for a win, negative for a loss. A win with
 * the side's last stone scores 1, with the stone before it 2, and so on. */

/* A position in which neither side can win with its next stone, as the side to move has safe moves. */
typedef struct {
    Position position;
    Cells opponent_threats;
    Cells moves; /* the safe ones */
    int promise; /* how good the move to it seems */
} Node;

/* What is known of a position: its score is at least `low` and at most `high`. */
typedef struct {
    Cells key;
    int8_t low, high;
} Known;

#define TABLE_LOG2 20
#define NO_BOUND 100

static Known table[(size_t)1 << TABLE_LOG2];

static unsigned long nodes;
static clock_t started;
static int is_stopped;

static Known *known_of(Cells key) {
    return &table[key * 0x9e3779b97f4a7c15u >> (64 - TABLE_LOG2)];
}

/* The best score of a node: a win with the next stone but one. */
static int most_of(int ply) {
    return (CELLS - ply - 1) / 2;
}

/* The worst score of a node: the opponent wins with the next stone but one. */
static int least_of(int ply) {
    return -((CELLS - ply - 2) / 2);
}

/* The node after a move. */
static Node child_of(const Node *node, Cells cell) {
    Node child = {play(node->position, cell), 0, 0, 0};
    child.opponent_threats = threats(node->position.own | cell, child.position.all);
    child.moves = safe_moves(child.position.all, child.opponent_threats);
    child.promise = count(child.opponent_threats);
    return child;
}

/* The nodes after all moves, the most promising first: with the most threats, nearest to the centre. */
static int list_children(const Node *node, Node children[WIDTH]) {
    int length = 0;
    for (int number = 0; number < WIDTH; number++) {
        Cells cell = node->moves & column_cells(from_centre(number));
        if (!cell) {
            continue;
        }
        Node child = child_of(node, cell);
        int place = length++;
        for (; place > 0 && children[place - 1].promise < child.promise; place--) {
            children[place] = children[place - 1];
        }
        children[place] = child;
    }
    return length;
}

/* Whether the score of a node is at least `beta`: returns at least `beta`, a lower bound of the score,
 * or less, an upper bound. Means nothing if the search is stopped. */
static int search(const Node *node, int ply, int beta) {
    int most = most_of(ply);
    int best = least_of(ply);
    if (most < beta) {
        return most;
    }
    if (best >= beta) {
        return best;
    }
    if (!(node->moves & (node->moves - 1))) {
        /* A single move needs no entry in the table. */
        Node child = child_of(node, node->moves);
        return child.moves ? -search(&child, ply + 1, 1 - beta) : most;
    }
    if (++nodes % 4096 == 0 && (double)(clock() - started) / CLOCKS_PER_SEC > TIME_LIMIT) {
        is_stopped = 1;
    }
    if (is_stopped) {
        return 0;
    }
    Cells key = key_of(node->position);
    Known *known = known_of(key);
    Known bounds = {key, -NO_BOUND, NO_BOUND};
    if (known->key == key) {
        bounds = *known;
    }
    if (bounds.low >= beta) {
        return bounds.low;
    }
    if (bounds.high < beta) {
        return bounds.high;
    }
    Node children[WIDTH];
    int length = list_children(node, children);
    for (int number = 0; number < length; number++) {
        if (!children[number].moves) {
            /* The opponent cannot prevent the win. */
            return most;
        }
    }
    for (int number = 0; number < length; number++) {
        Cells child_key = key_of(children[number].position);
        const Known *child = known_of(child_key);
        if (child->key == child_key && -child->high >= beta) {
            return -child->high;
        }
    }
    for (int number = 0; number < length && best < beta; number++) {
        int score = -search(&children[number], ply + 1, 1 - beta);
        if (is_stopped) {
            return 0;
        }
        best = score > best ? score : best;
    }
    if (best >= beta) {
        bounds.low = (int8_t)best;
    } else {
        bounds.high = (int8_t)best;
    }
    *known = bounds;
    return best;
}

/* The moves of a position to be searched, the best known first, and the bounds of its score. */
typedef struct {
    Node moves[WIDTH];
    int length, ply, low, high;
} Root;

/* Searches for a move that scores `beta` or more. */
static void find_move(Root *root, int beta) {
    if (beta <= root->low || beta > root->high || is_stopped) {
        return;
    }
    int best = root->low;
    for (int number = 0; number < root->length; number++) {
        Node move = root->moves[number];
        int score = move.moves ? -search(&move, root->ply + 1, 1 - beta) : most_of(root->ply);
        if (is_stopped) {
            return;
        }
        best = score > best ? score : best;
        if (score >= beta) {
            root->low = score;
            memmove(&root->moves[1], root->moves, (size_t)number * sizeof(Node));
            root->moves[0] = move;
            return;
        }
    }
    root->high = best;
}

/* The column of the best move. Results that come soon are cheap to find, so they come first. The next
 * question is whether the game is won, drawn or lost, and then how soon. */
static int search_move(Position position, int ply) {
    Cells legal = playable(position.all);
    Cells wins = threats(position.own, position.all) & legal;
    if (wins) {
        return column_of(wins);
    }
    Node node = {position, threats(position.own ^ position.all, position.all), 0, 0};
    node.moves = safe_moves(position.all, node.opponent_threats);
    if (!node.moves) {
        /* Lost at once: block at least one threat. */
        Cells forced = legal & node.opponent_threats;
        return column_of(forced ? forced : legal);
    }
    Root root = {.ply = ply, .low = least_of(ply), .high = most_of(ply)};
    root.length = list_children(&node, root.moves);
    int most = root.high;
    int least = root.low;
    started = clock();
    is_stopped = root.length < 2;
    for (int stones = 0; root.low < root.high && !is_stopped; stones++) {
        if (stones == 4) {
            find_move(&root, 1);
            find_move(&root, 0);
            if (OUTCOMES_ONLY) {
                break;
            }
        }
        find_move(&root, most - stones);
        find_move(&root, least + stones + 1);
    }
    return column_of(root.moves[0].position.all ^ position.all);
}

static int is_blank(int name) {
    return name == ' ' || name == '\t' || name == '\r' || name == '\n';
}

int best_move(const char *moves) {
    Position position = {0, 0};
    int ply = 0;
    for (; moves && *moves; moves++) {
        if (is_blank(*moves)) {
            continue;
        }
        const char *name = strchr(COLUMN_NAMES, tolower((unsigned char)*moves));
        int column = name ? (int)(name - COLUMN_NAMES) : WIDTH;
        Cells cell = column < WIDTH ? playable(position.all) & column_cells(column) : 0;
        if (!cell || threats(position.own, position.all) & cell) {
            return 0;
        }
        position = play(position, cell);
        ply++;
    }
    if (!moves || position.all == BOARD) {
        return 0;
    }
    int column = strategy_move(position, ply);
    return 1 + (column >= 0 ? column : search_move(position, ply));
}

#ifndef BOT_WITHOUT_MAIN
int main(void) {
    char line[1000];
    size_t length = 0;
    int status = 0;
    for (int next = getchar(); next != EOF || length; next = getchar()) {
        if (next != '\n' && next != EOF) {
            /* No game is longer. */
            if (!is_blank(next) && length + 1 < sizeof line) {
                line[length++] = (char)next;
            }
            continue;
        }
        line[length] = '\0';
        length = 0;
        int column = best_move(line);
        if (column) {
            printf("%c\n", COLUMN_NAMES[column - 1]);
        } else {
            puts("");
            fprintf(stderr, "bot: expected a game that goes on, such as '44', found '%s'\n", line);
            status = 1;
        }
        fflush(stdout);
    }
    return status;
}
#endif
