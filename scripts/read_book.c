/* Answers from a flat fourbook book for a board of up to 64 bits, without fourbook: written from
 * docs/src/format.md alone, in plain C11, to copy into a program.
 *
 *     cc -O2 read_book.c -o read_book
 *     ./read_book 7x6-d8.book 4453 44
 *
 * Prints each position and its value for the side to move, or '?'. Positions are arguments or lines
 * of standard input: columns from 1, the tenth to twelfth are 'a' to 'c'. Exit codes: 0 all
 * answered, 1 not all, or the book is refused, 2 wrong arguments. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096, ENTRY = 19, MOST_CELLS = 60 };

/* A cell in column c and row r, both from 0, is bit c * (height + 1) + r. */
typedef uint64_t cells;

struct section {
    unsigned bits; /* of a code; 0: the ply is not stored */
    int bias;
    uint64_t start, rows;
    uint64_t *before; /* by right code and middle: the triples before the first with them */
    uint64_t *number; /* by left code: its index among those with the same sum */
};

static FILE *file;
static unsigned width, height, rise, half, kind, depth;
static int top; /* the greatest value */
static cells bottom, board, columns[12];
static struct section sections[MOST_CELLS + 1];
static unsigned char *sums, **blocks; /* the checksum and, if it was read, the bytes of each block */
static uint64_t first, length; /* of all sections */

static void refuse(const char *reason) {
    fprintf(stderr, "read_book: %s\n", reason);
    exit(1);
}

static void *room(uint64_t count, size_t size) {
    void *found = calloc(count ? count : 1, size);
    if (!found) refuse("there is too little memory");
    return found;
}

static uint64_t number(const unsigned char *bytes, int count) {
    uint64_t found = 0;
    while (count--) found = found << 8 | bytes[count];
    return found;
}

static uint32_t crc32(const unsigned char *bytes, uint64_t count) {
    uint32_t crc = ~0u;
    while (count--) {
        crc ^= *bytes++;
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static int is_utf8(const unsigned char *text, uint64_t size) {
    for (const unsigned char *end = text + size; text < end;) {
        unsigned lead = *text++, more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
        unsigned least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        unsigned most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        if ((lead >= 0x80 && lead < 0xc2) || lead > 0xf4 || end - text < (int)more) return 0;
        for (; more; more--, text++, least = 0x80, most = 0xbf)
            if (*text < least || *text > most) return 0;
    }
    return 1;
}

static unsigned char *read_bytes(uint64_t start, uint64_t count) {
    unsigned char *found = room(count, 1);
    if (fseek(file, (long)start, SEEK_SET) || fread(found, 1, count, file) != count)
        refuse("the file is too short");
    return found;
}

/* A byte of the sections, whose block has the right checksum. */
static unsigned byte(uint64_t at) {
    uint64_t block = at / BLOCK, rest = length - block * BLOCK;
    if (!blocks[block]) {
        uint64_t count = rest < BLOCK ? rest : BLOCK;
        unsigned char *bytes = read_bytes(first + block * BLOCK, count);
        if (crc32(bytes, count) != number(sums + 4 * block, 4)) {
            fprintf(stderr, "read_book: block %llu is damaged\n", (unsigned long long)block);
            exit(1);
        }
        blocks[block] = bytes;
    }
    return blocks[block][at % BLOCK];
}

static unsigned count(cells set) {
    unsigned found = 0;
    for (; set; set &= set - 1) found++;
    return found;
}

/* The ways to choose k of n, which is at most 56. */
static uint64_t binomial(unsigned n, unsigned k) {
    uint64_t found = k <= n;
    for (unsigned i = 1; i <= k && k <= n; i++) found = found * (n - k + i) / i;
    return found;
}

/* The ways to choose the heights of some columns. */
static uint64_t ways(unsigned columns_left, unsigned stones) {
    uint64_t found[MOST_CELLS + 1] = {1}, next[MOST_CELLS + 1];
    while (columns_left--) {
        for (unsigned sum = 0; sum <= stones; sum++) {
            next[sum] = 0;
            for (unsigned one = 0; one <= height && one <= sum; one++) next[sum] += found[sum - one];
        }
        memcpy(found, next, sizeof found);
    }
    return found[stones];
}

/* The slots of a ply. */
static uint64_t slots(unsigned ply) {
    uint64_t symmetric = 0;
    for (unsigned middle = 0; middle <= (width % 2 ? height : 0) && middle <= ply; middle++)
        if ((ply - middle) % 2 == 0) symmetric += ways(half, (ply - middle) / 2);
    uint64_t masks = (ways(width, ply) + symmetric) / 2, rows = binomial(ply, ply / 2);
    if (masks > ((uint64_t)1 << 48) / rows) refuse("a ply with too many slots");
    return masks * rows;
}

static void check_section(const unsigned char *entry, uint64_t start) {
    unsigned ply = entry[0], bits = entry[1];
    uint64_t bytes = number(entry + 3, 8);
    struct section *section = &sections[ply];
    if (!bits) refuse("expected a flat book, found a compact section");
    uint64_t all = slots(ply);
    if (number(entry + 11, 8) > all) refuse("a section with more entries than slots");
    section->bits = bits;
    section->bias = (int8_t)entry[2];
    section->start = start;
    section->rows = binomial(ply, ply / 2);
    if (bits > 6 || abs(section->bias) > top) refuse("a section with other codes");
    if (bytes != ((all * bits + 7) / 8 + 7 + 63) / 64 * 64)
        refuse("a section that has not the length of its slots");
}

static void open_book(const char *path) {
    file = fopen(path, "rb");
    if (!file) refuse("cannot open the book");
    unsigned char *head = read_bytes(0, 16);
    uint64_t end = 16 + number(head + 12, 4), at = 19;
    if (memcmp(head, "\x89" "4BOOK\r\n", 8) || number(head + 8, 4) != 1 || end > 16 + 65536)
        refuse("expected a fourbook book of format version 1");
    head = read_bytes(0, end + 4);
    if (crc32(head, end) != number(head + end, 4)) refuse("the header is damaged");
    width = head[16], height = head[17], kind = head[18], rise = height + 1, half = width / 2;
    if (width < 4 || height < 4 || width * rise > 64 || kind > 1)
        refuse("expected a board of up to 64 bits");
    top = kind ? 1 : (int)(width * height - 5) / 2;
    for (unsigned column = 0; column < width; column++) {
        columns[column] = (((uint64_t)1 << height) - 1) << column * rise;
        bottom |= (uint64_t)1 << column * rise;
        board |= columns[column];
    }
    for (int text = 0; text < 4; text++) {
        uint64_t size = at + 8 <= end ? number(head + at, 8) : end;
        if (size > end || (at += 8 + size) > end) refuse("the header ends before its fields do");
        if (!is_utf8(head + at - size, size)) refuse("a text of the header is no UTF-8");
    }
    uint64_t plies = at + 8 <= end ? number(head + at, 8) : 0;
    if (plies < 1 || plies > MOST_CELLS + 1 || at + 8 + ENTRY * plies + 4 != end)
        refuse("the header ends before its fields do or goes on after them");
    int last = -1;
    for (const unsigned char *entry = head + at + 8; entry < head + end - 4; entry += ENTRY) {
        int ply = entry[0];
        if (ply <= last || ply > last + 2 || (unsigned)ply > width * height)
            refuse("a book does not have such plies");
        check_section(entry, length);
        length += number(entry + 3, 8);
        last = ply;
    }
    depth = (unsigned)last;
    uint64_t count_of_blocks = (length + BLOCK - 1) / BLOCK, sums_end = end + 4 + 4 * count_of_blocks;
    first = (sums_end + 63) / 64 * 64;
    sums = read_bytes(end + 4, first - end - 4);
    blocks = room(count_of_blocks, sizeof *blocks);
    if (crc32(sums, 4 * count_of_blocks) != number(head + end - 4, 4))
        refuse("the checksums of the blocks are damaged");
    for (uint64_t i = sums_end; i < first; i++)
        if (sums[i - end - 4]) refuse("there is something before the first section");
    if (fseek(file, 0, SEEK_END) || (uint64_t)ftell(file) != first + length)
        refuse("the file does not end with its last section");
}

/* Fills the tables of a ply, in the order of the codes. */
static void number_codes(struct section *section, unsigned ply) {
    unsigned middles = width % 2 ? rise : 1;
    uint64_t codes = 1, total = 0, of_sum[MOST_CELLS + 1] = {0}, passed[MOST_CELLS + 1] = {0};
    for (unsigned column = 0; column < half; column++) codes *= rise;
    for (unsigned sum = 0; sum <= ply; sum++) of_sum[sum] = ways(half, sum);
    section->before = room(codes * middles, sizeof *section->before);
    section->number = room(codes, sizeof *section->number);
    for (uint64_t code = 0; code < codes; code++) {
        unsigned stones = 0;
        for (uint64_t digits = code; digits; digits /= rise) stones += (unsigned)(digits % rise);
        if (stones > ply) continue;
        for (unsigned middle = 0; middle < middles && stones + middle <= ply; middle++) {
            unsigned rest = ply - stones - middle;
            section->before[code * middles + middle] = total - passed[rest];
            total += of_sum[rest] - passed[rest];
        }
        section->number[code] = passed[stones]++;
    }
}

static cells mirror(cells set) {
    cells mirrored = 0;
    for (unsigned column = 0; column < width; column++, set >>= rise)
        mirrored = mirrored << rise | (set & (((uint64_t)1 << rise) - 1));
    return mirrored;
}

static uint64_t colour_rank(cells own, cells mask) {
    uint64_t rank = 0;
    unsigned place = 0, ones = 0;
    for (cells cell = 1; cell && cell <= mask; cell <<= 1) {
        if (!(mask & cell)) continue;
        if (own & cell) rank += binomial(place, ++ones);
        place++;
    }
    return rank;
}

static int entry(cells own, cells mask) {
    struct section *section = &sections[count(mask)];
    if (!section->before) number_codes(section, count(mask));
    uint64_t left = 0, right = 0, middle = width % 2 ? count(mask & columns[half]) : 0;
    for (unsigned column = 0; column < half; column++) {
        left = left * rise + count(mask & columns[column]);
        right = right * rise + count(mask & columns[width - 1 - column]);
    }
    uint64_t rank = colour_rank(own, mask);
    if (right >= left) {
        uint64_t other = colour_rank(mirror(own), mirror(mask)), swapped = left;
        rank = right > left || other < rank ? other : rank;
        left = right, right = swapped;
    }
    uint64_t index = section->before[right * (width % 2 ? rise : 1) + middle] + section->number[left];
    uint64_t bit = (index * section->rows + rank) * section->bits, eight = 0;
    for (int i = 8; i--;) eight = eight << 8 | byte(section->start + bit / 8 + (unsigned)i);
    int absent = (1 << section->bits) - 1, code = (int)(eight >> bit % 8) & absent;
    int value = code - section->bias;
    if (code == absent || value < -top || value > top) refuse("the book lacks a value");
    return value;
}

static int has_four(cells own) {
    unsigned steps[] = {1, rise - 1, rise, rise + 1};
    for (int i = 0; i < 4; i++) {
        cells pairs = own & own >> steps[i];
        if (pairs & pairs >> 2 * steps[i]) return 1;
    }
    return 0;
}

/* The value of a position that a game reaches. Returns 0 if the book does not have it. */
static int find_value(cells own, cells mask, int *value) {
    unsigned ply = count(mask), all = width * height;
    cells playable = (mask + bottom) & board;
    int known = has_four(own ^ mask) || ply == all;
    *value = has_four(own ^ mask) ? -(kind ? 1 : (int)(all + 2 - ply) / 2) : 0;
    for (unsigned column = 0; column < width && !known; column++)
        if ((playable & columns[column]) && has_four(own | (playable & columns[column]))) {
            *value = kind ? 1 : (int)(all + 1 - ply) / 2;
            known = 1;
        }
    if (known || ply > depth) return known;
    if (sections[ply].bits) {
        *value = entry(own, mask);
        return 1;
    }
    *value = -top - 1;
    for (unsigned column = 0; column < width; column++) {
        cells cell = playable & columns[column];
        int child = 0;
        if (cell && find_value(own ^ mask, mask | cell, &child) && -child > *value) *value = -child;
    }
    return 1;
}

/* Prints a position and its value. Returns whether it has none. */
static int answer(const char *moves) {
    const char *names = "123456789abc", *name;
    cells own = 0, mask = 0;
    int value = 0, known = 1;
    for (const char *move = moves; *move && known; move++) {
        name = strchr(names, *move);
        cells cell = name && name < names + width ? (mask + bottom) & columns[name - names] : 0;
        known = cell && !has_four(own ^ mask);
        own ^= mask, mask |= cell;
    }
    if (!known) fprintf(stderr, "read_book: '%s' are no moves of a game\n", moves);
    known = known && find_value(own, mask, &value);
    if (known) printf("%s %d\n", moves, value);
    else printf("%s ?\n", moves);
    return !known;
}

int main(int number_of_arguments, char **arguments) {
    int missing = 0;
    char line[256];
    if (number_of_arguments < 2) {
        fprintf(stderr, "usage: read_book BOOK [MOVES...]\n");
        return 2;
    }
    open_book(arguments[1]);
    for (int i = 2; i < number_of_arguments; i++) missing |= answer(arguments[i]);
    while (number_of_arguments == 2 && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        missing |= answer(line);
    }
    return missing;
}
