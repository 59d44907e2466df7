/** @file
 * fourbook for C and C++: perfect-play Connect Four opening books.
 *
 * Made by cbindgen from bindings/c/src; do not change it by hand.
 *
 * Every function that can fail returns a status. FOURBOOK_STATUS_OK is 0. After any other
 * status, fourbook_last_error returns what was expected, what came and what to do. The call has
 * then written nothing, unless its description says otherwise.
 *
 * A pointer is null or valid. Null and misaligned pointers are refused with
 * FOURBOOK_STATUS_BAD_ARGUMENT, unless the function says that the pointer may be null. Handles
 * (fourbook_book, fourbook_oracle, fourbook_query, fourbook_cancel) come from the function that makes them and are
 * freed once by the one that frees them. Threads may share handles, but no thread may use one while
 * or after it is freed. Texts are UTF-8 and end with a zero byte; paths may be any bytes on Unix.
 *
 * Callbacks must return: an exception of C++ ends the program with a message, and longjmp past a
 * function of this library is undefined.
 *
 * Columns and rows count from 0 here; texts have their names, from 1. A calling thread needs 128 KiB
 * of stack; deep searches run on threads of the library.
 */

#ifndef FOURBOOK_H
#define FOURBOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/** The version of this header; fourbook_version returns that of the library. */
#define FOURBOOK_VERSION "0.1.0"
#define FOURBOOK_VERSION_MAJOR 0
#define FOURBOOK_VERSION_MINOR 1
#define FOURBOOK_VERSION_PATCH 0
/** The most columns of a board. */
#define FOURBOOK_MAX_WIDTH 16
/** The most moves of a game: the most cells of a board. */
#define FOURBOOK_MAX_MOVES 124
/** The most bytes that fourbook_oracle_explain writes. */
#define FOURBOOK_MAX_EXPLANATION 4096
/** What stands for the score of a column that cannot be played, less than any score. */
#define FOURBOOK_UNPLAYABLE INT8_MIN
/** What stands for a score that is not known. */
#define FOURBOOK_UNKNOWN (INT8_MIN + 1)

/**
 * How a call ended. With any status but `FOURBOOK_STATUS_OK`, the call has written nothing, unless
 * its description says otherwise.
 */
typedef enum fourbook_status {
  /**
   * All is well.
   */
  FOURBOOK_STATUS_OK = 0,
  /**
   * A pointer is null, or a number or text is not an expected one.
   */
  FOURBOOK_STATUS_BAD_ARGUMENT = 1,
  /**
   * The position or the move is invalid, or the game is over.
   */
  FOURBOOK_STATUS_BAD_POSITION = 2,
  /**
   * The book is damaged or of another version, or has no scores.
   */
  FOURBOOK_STATUS_BAD_BOOK = 3,
  /**
   * The book does not have the position.
   */
  FOURBOOK_STATUS_NOT_IN_BOOK = 4,
  /**
   * A file or folder could not be read or written.
   */
  FOURBOOK_STATUS_IO = 5,
  /**
   * The search reached its node limit.
   */
  FOURBOOK_STATUS_NODE_BUDGET = 6,
  /**
   * The search reached its time limit.
   */
  FOURBOOK_STATUS_DEADLINE = 7,
  /**
   * The search was cancelled, or a callback has asked to stop.
   */
  FOURBOOK_STATUS_CANCELLED = 8,
  /**
   * There is no memory, or there are no threads.
   */
  FOURBOOK_STATUS_NO_MEMORY = 9,
  /**
   * The library has a fault: please report the text.
   */
  FOURBOOK_STATUS_INTERNAL = 10,
  /**
   * The board size is invalid, or not that of the book or oracle.
   */
  FOURBOOK_STATUS_BAD_SIZE = 11,
  /**
   * The buffer is too small; the required length has been written.
   */
  FOURBOOK_STATUS_BUFFER_TOO_SMALL = 12,
} fourbook_status;

/**
 * A book: the values of all positions to some ply. Thread-safe.
 */
typedef struct fourbook_book fourbook_book;

/**
 * Cancels searches: any thread may set it. Thread-safe.
 */
typedef struct fourbook_cancel fourbook_cancel;

/**
 * Answers for positions from a book with the solver as fallback, or from the solver alone.
 * Thread-safe: all threads of a program can share one, and its table with it.
 */
typedef struct fourbook_oracle fourbook_oracle;

/**
 * A question about a position, and its answer as known now. Between the steps to the answer, a
 * program can show what is known, do other things, or give up.
 */
typedef struct fourbook_query fourbook_query;

/**
 * A position on a board of some size: a value, to be copied, and compared with `memcmp`. Functions
 * of this library make positions, and so can callers; every function refuses an invalid one with
 * FOURBOOK_STATUS_BAD_POSITION, or FOURBOOK_STATUS_BAD_SIZE if its board has no valid size.
 *
 * The cell in column `c` and row `r`, both from 0, is bit `c * (height + 1) + r`. The first number
 * holds bits 0 to 63, the second one bits 64 to 127.
 */
typedef struct fourbook_position {
  /**
   * The stones of the side to move.
   */
  uint64_t mover[2];
  /**
   * All stones.
   */
  uint64_t mask[2];
  /**
   * Columns of the board.
   */
  uint8_t width;
  /**
   * Rows of the board.
   */
  uint8_t height;
  /**
   * Zero in every position that this library makes, so that equal positions have equal bytes.
   * Ignored in positions of callers.
   */
  uint8_t reserved[6];
} fourbook_position;

/**
 * Facts about a position that follow from the rules.
 */
typedef struct fourbook_state {
  /**
   * Stones on the board.
   */
  uint8_t ply;
  /**
   * Who is to move: 1, the first player, or 2.
   */
  uint8_t to_move;
  /**
   * The winner, 1 or 2; 0 if there is none.
   */
  uint8_t winner;
  /**
   * Whether the game is over: won, or the board full.
   */
  bool over;
  /**
   * The columns that can be played: bit `c` for column `c`, from 0; none if the game is over.
   */
  uint32_t columns;
  /**
   * The cells of all lines of four of the winner, as bits of the board.
   */
  uint64_t winning_cells[2];
} fourbook_state;

/**
 * Facts from a book's header.
 */
typedef struct fourbook_info {
  /**
   * Its length in bytes.
   */
  uint64_t bytes;
  /**
   * How many positions have an entry, a position and its mirror image counted once.
   */
  uint64_t entries;
  /**
   * The checksum of its header, which differs between books with different contents.
   */
  uint32_t identity;
  /**
   * Columns of the board.
   */
  uint8_t width;
  /**
   * Rows of the board.
   */
  uint8_t height;
  /**
   * The most stones of a position that it answers for.
   */
  uint8_t depth;
  /**
   * Whether its values are exact scores; if not, they are 1, 0 and -1 for win, draw and loss.
   */
  bool has_scores;
  /**
   * Whether it is compact; if not, it is flat.
   */
  bool is_compact;
  /**
   * Zero.
   */
  uint8_t reserved[7];
} fourbook_info;

/**
 * A callback for positions and their values. It returns 0 to go on, any other number to stop. It
 * must not throw an exception or leave by `longjmp`.
 */
typedef int32_t (*fourbook_visit)(const struct fourbook_position *position, int8_t value, void *user);

/**
 * How to make a book. All bytes 0 are the defaults.
 */
typedef struct fourbook_generate_options {
  /**
   * Columns of the board; 0 with `height` 0: 7x6.
   */
  uint32_t width;
  /**
   * Rows of the board.
   */
  uint32_t height;
  /**
   * The most stones of a position in the book; 0 is the default of `fourbook generate`, 8 on
   * 7x6.
   */
  uint32_t depth;
  /**
   * The most threads; 0: one for each processor.
   */
  uint32_t threads;
  /**
   * Bytes for the solver's table; 0: a quarter of the free memory, at most 1 GiB.
   */
  size_t memory;
  /**
   * Other than 0: values are outcomes, without the distance.
   */
  uint8_t outcomes;
  /**
   * Other than 0: the book is compact instead of flat.
   */
  uint8_t compact;
} fourbook_generate_options;

/**
 * A progress callback: the name of the step, the units done, and the units in total, 0 if
 * unknown. It returns 0 to go on, any other number to cancel, which sets the call's `cancel`, if
 * there is one: reset it before the next call. Threads of the library call it, one
 * at a time. It must not throw an exception or leave by `longjmp`.
 */
typedef int32_t (*fourbook_tell)(const char *step, uint64_t done, uint64_t total, void *user);

/**
 * How to make an oracle. All bytes 0 are the defaults.
 */
typedef struct fourbook_oracle_options {
  /**
   * Columns of the board; if `width` and `height` are 0, the board is that of the book.
   */
  uint32_t width;
  /**
   * Rows of the board.
   */
  uint32_t height;
  /**
   * The most bytes for the solver's table, which are used as it fills; 0: a quarter of the free
   * memory, at most 1 GiB, or without the feature `generate` 64 MiB.
   */
  size_t memory;
  /**
   * The most threads that search at a time, and only while a search takes longer than about
   * a millisecond; 0: one for each processor.
   */
  uint32_t threads;
  /**
   * Other than 0: solve everything, without any book; `book` has to be null.
   */
  uint8_t no_book;
} fourbook_oracle_options;

/**
 * The results of a call that ended at a limit: FOURBOOK_STATUS_NODE_BUDGET,
 * FOURBOOK_STATUS_DEADLINE or, if its search was cancelled, FOURBOOK_STATUS_CANCELLED.
 */
typedef struct fourbook_stopped {
  /**
   * Nodes that the call visited.
   */
  uint64_t nodes;
  /**
   * Positions with a complete answer; 0 if the call was about a single one.
   */
  size_t solved;
  /**
   * The least proved score of the position; FOURBOOK_UNKNOWN if the call was about several
   * positions.
   */
  int8_t min;
  /**
   * The greatest proved score.
   */
  int8_t max;
  /**
   * Zero.
   */
  uint8_t reserved[6];
} fourbook_stopped;

/**
 * The limits of a search. If all bytes are 0, there is none.
 */
typedef struct fourbook_limits {
  /**
   * The most nodes to visit; 0: any number.
   */
  uint64_t max_nodes;
  /**
   * The most milliseconds to take; 0: any time.
   */
  uint64_t milliseconds;
  /**
   * Ends the search when it is set; may be null.
   */
  const struct fourbook_cancel *cancel;
  /**
   * Receives the results of a search that ends at a limit; may be null.
   */
  struct fourbook_stopped *stopped;
} fourbook_limits;

/**
 * The scores of a position and of its moves, for the side to move: 0 is a draw, a positive score a
 * win, a negative one a loss. The faster the win, the further the score is from 0.
 */
typedef struct fourbook_analysis {
  /**
   * The position's score, or FOURBOOK_UNKNOWN.
   */
  int8_t score;
  /**
   * Columns of the board, and the number of scores in `moves` that are used.
   */
  uint8_t width;
  /**
   * Whether all scores are known.
   */
  bool complete;
  /**
   * The least proved score of the position; equal to `max` if the score is known.
   */
  int8_t min;
  /**
   * The greatest proved score of the position.
   */
  int8_t max;
  /**
   * The score of each move, by column from 0; FOURBOOK_UNPLAYABLE if the column cannot be
   * played, FOURBOOK_UNKNOWN if the score is not known.
   */
  int8_t moves[16];
  /**
   * Zero.
   */
  uint8_t reserved[3];
  /**
   * Nodes visited by the search; 0 if nothing was searched, and for positions that are analysed
   * together.
   */
  uint64_t nodes;
} fourbook_analysis;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The empty board of `width` columns and `height` rows, such as 7 and 6: at least 4 each, at
 * most 16 columns, and `width * (height + 1)` at most 128.
 */
enum fourbook_status fourbook_position_empty(uint32_t width,
                                             uint32_t height,
                                             struct fourbook_position *position);

/**
 * The position that a text describes, in any notation that fourbook knows: moves such as
 * `4453` (columns from 1; `a` to `g` are the tenth to the sixteenth), a diagram, or a key such
 * as `key:4432676798593`.
 */
enum fourbook_status fourbook_position_parse(uint32_t width,
                                             uint32_t height,
                                             const char *text,
                                             struct fourbook_position *position);

/**
 * The position after a stone in `column`, from 0. `after` may be the same as `position`.
 */
enum fourbook_status fourbook_position_play(const struct fourbook_position *position,
                                            uint32_t column,
                                            struct fourbook_position *after);

/**
 * The mirror image, which is worth the same. `mirrored` may be the same as `position`.
 */
enum fourbook_status fourbook_position_mirrored(const struct fourbook_position *position,
                                                struct fourbook_position *mirrored);

/**
 * Writes a position's key, which no other position on boards of its size has, as two numbers. The
 * first holds bits 0 to 63, the second bits 64 to 127, which are 0 on boards of at most 64 bits.
 */
enum fourbook_status fourbook_position_key(const struct fourbook_position *position, uint64_t *key);

/**
 * The position with a key, of two numbers.
 */
enum fourbook_status fourbook_position_from_key(uint32_t width,
                                                uint32_t height,
                                                const uint64_t *key,
                                                struct fourbook_position *position);

/**
 * Writes facts about a position that follow from the rules.
 */
enum fourbook_status fourbook_position_state(const struct fourbook_position *position,
                                             struct fourbook_state *state);

/**
 * Writes a position in a notation, `moves`, `diagram`, `bitboards`, `rows` or `key`, with a
 * zero byte after it, into `capacity` bytes at `text`, and its length with that byte into `bytes`.
 * If `text` is null, only the length is written. If `capacity` is too small,
 * FOURBOOK_STATUS_BUFFER_TOO_SMALL is returned and nothing is written at `text`. `moves` writes some
 * game that leads to the position; it fails if no game does.
 */
enum fourbook_status fourbook_position_to_text(const struct fourbook_position *position,
                                               const char *notation,
                                               char *text,
                                               size_t capacity,
                                               size_t *bytes);

/**
 * The book of exact scores that comes with the library for a board: 7x6 to ply 12, and most boards
 * of up to 49 cells to ply 8. `width` and `height` 0 are 7x6. If there is none, the status is
 * FOURBOOK_STATUS_BAD_SIZE. Free it with `fourbook_book_free`.
 */
enum fourbook_status fourbook_book_embedded(uint32_t width,
                                            uint32_t height,
                                            struct fourbook_book **book);

/**
 * Opens the file of a book, or of a folder the deepest book: for boards of 7x6 if there is
 * one, else for boards of the only size in the folder. If the file is changed in place later, lookups
 * answer as before or fail with FOURBOOK_STATUS_BAD_BOOK. Free the book with
 * `fourbook_book_free`.
 */
enum fourbook_status fourbook_book_open(const char *path,
                                        struct fourbook_book **book);

/**
 * The book in these bytes, which are copied. Free it with `fourbook_book_free`.
 */
enum fourbook_status fourbook_book_from_bytes(const uint8_t *bytes,
                                              size_t length,
                                              struct fourbook_book **book);

/**
 * Frees a book; oracles that use it go on. Null is fine.
 */
void fourbook_book_free(struct fourbook_book *book);

/**
 * Writes facts from a book's header.
 */
enum fourbook_status fourbook_book_info(const struct fourbook_book *book,
                                        struct fourbook_info *info);

/**
 * The value of a position in a book, for the side to move: its score or, in a book without scores,
 * 1 for a win, 0 for a draw and -1 for a loss. FOURBOOK_STATUS_NOT_IN_BOOK if the book ends before
 * it, or no game leads to it.
 */
enum fourbook_status fourbook_book_look_up(const struct fourbook_book *book,
                                           const struct fourbook_position *position,
                                           int8_t *value);

/**
 * Calls `visit` with every position of a ply and its value, stored in the book or derived from it.
 * These are the positions that a game can reach and that the rules do not score; a position and its
 * mirror image are visited once. FOURBOOK_STATUS_CANCELLED if `visit` returned a number other
 * than 0.
 */
enum fourbook_status fourbook_book_positions(const struct fourbook_book *book,
                                             uint32_t ply,
                                             fourbook_visit visit,
                                             void *user);

/**
 * Checks every byte of a book, and with `deep` every entry and every value, on all
 * processors. FOURBOOK_STATUS_BAD_BOOK if something is wrong; the message then names
 * the first fault.
 */
enum fourbook_status fourbook_book_verify(const struct fourbook_book *book, bool deep);

/**
 * Makes a book: the scores of all positions down to a ply, in the file `out`. Solved positions are
 * kept beside it: after a cancelled call (FOURBOOK_STATUS_CANCELLED) or a crash, the same call
 * resumes. A report on the run is written to `OUT.json`. `options`, the callback and `cancel` may
 * be null.
 */
enum fourbook_status fourbook_generate(const char *out,
                                       const struct fourbook_generate_options *options,
                                       fourbook_tell tell,
                                       void *user,
                                       const struct fourbook_cancel *cancel);

/**
 * Makes a handle that cancels searches. Free it with `fourbook_cancel_free`.
 */
enum fourbook_status fourbook_cancel_new(struct fourbook_cancel **cancel);

/**
 * Cancels the searches that use the handle, including later ones, until it is reset.
 */
enum fourbook_status fourbook_cancel_set(const struct fourbook_cancel *cancel);

/**
 * Resets the handle: searches that begin from now on may use it again.
 */
enum fourbook_status fourbook_cancel_reset(const struct fourbook_cancel *cancel);

/**
 * Frees the handle; searches that use it go on. Null is fine.
 */
void fourbook_cancel_free(struct fourbook_cancel *cancel);

/**
 * An oracle over a book. If `book` is null, it uses the built-in book for the
 * board, if there is one. Unless `no_book` is set, it also uses the strategies that come with the
 * library. `options` may be null. Free it with `fourbook_oracle_free`; the book may be freed earlier.
 */
enum fourbook_status fourbook_oracle_new(const struct fourbook_book *book,
                                         const struct fourbook_oracle_options *options,
                                         struct fourbook_oracle **oracle);

/**
 * Takes the moves of a player from the file of a strategy, in place of the strategy that comes with
 * the library, if there is one. The level `perfect` follows one of outcomes from the first move on. One
 * of exact scores serves it and `fourbook_oracle_best_move` where the book has no answer, and has
 * scores, if it was made with them. No other call may be using the oracle.
 */
enum fourbook_status fourbook_oracle_add_strategy(struct fourbook_oracle *oracle,
                                                  const char *path);

/**
 * Frees an oracle. Null is fine. No call may be using it.
 */
void fourbook_oracle_free(struct fourbook_oracle *oracle);

/**
 * The score of a position, for the side to move: 0 is a draw, a positive score a win, a negative
 * one a loss; the further it is from 0, the sooner the game ends. `limits` may be null.
 */
enum fourbook_status fourbook_oracle_score(const struct fourbook_oracle *oracle,
                                           const struct fourbook_position *position,
                                           const struct fourbook_limits *limits,
                                           int8_t *score);

/**
 * Who wins, for the side to move: 1 for a win, 0 for a draw, -1 for a loss. Cheaper than the score
 * if a search is needed. `limits` may be null.
 */
enum fourbook_status fourbook_oracle_outcome(const struct fourbook_oracle *oracle,
                                             const struct fourbook_position *position,
                                             const struct fourbook_limits *limits,
                                             int8_t *outcome);

/**
 * The scores of a position and of all its moves. `limits` may be null. If the search ends at a limit,
 * `analysis` has the scores and bounds that it found, and FOURBOOK_UNKNOWN for others.
 */
enum fourbook_status fourbook_oracle_analyse(const struct fourbook_oracle *oracle,
                                             const struct fourbook_position *position,
                                             const struct fourbook_limits *limits,
                                             struct fourbook_analysis *analysis);

/**
 * A best move, a column from 0. Of several, it is one that the book knows, else that of a strategy of
 * exact scores, else the one nearest to the centre. `limits` may be null.
 */
enum fourbook_status fourbook_oracle_best_move(const struct fourbook_oracle *oracle,
                                               const struct fourbook_position *position,
                                               const struct fourbook_limits *limits,
                                               uint32_t *column);

/**
 * The move that a player of a level chooses, a column from 0. `level` is a name or a number from
 * `1`, a beginner, to `8`, a perfect player; null means `8`. The same `seed` in the same position
 * gives the same move. If a limit ends the search, `column` has the best move known, and the call
 * returns FOURBOOK_STATUS_NODE_BUDGET or FOURBOOK_STATUS_DEADLINE: the move is not proved, and
 * `stopped` of the limits has the bounds of the score. `limits` may be null; without a limit on nodes
 * or time, a move takes at most 3 seconds.
 */
enum fourbook_status fourbook_oracle_choose_move(const struct fourbook_oracle *oracle,
                                                 const struct fourbook_position *position,
                                                 const char *level,
                                                 uint64_t seed,
                                                 const struct fourbook_limits *limits,
                                                 uint32_t *column);

/**
 * Writes why perfect play from a position ends as it does, as JSON with a zero byte after it, into
 * `capacity` bytes at `text`, and its length with that byte into `bytes`. If `text` is null, only
 * the length is written; FOURBOOK_MAX_EXPLANATION bytes are enough on every board. `limits` may be null.
 * The members have the names of the server's `Explanation`; the member `text` has the whole explanation
 * in a few sentences.
 */
enum fourbook_status fourbook_oracle_explain(const struct fourbook_oracle *oracle,
                                             const struct fourbook_position *position,
                                             const struct fourbook_limits *limits,
                                             char *text,
                                             size_t capacity,
                                             size_t *bytes);

/**
 * Writes the scores of `number` positions to `scores`, searching on all threads of the oracle.
 * Limits hold for all positions together; `limits` may be null. After an error of the work itself,
 * such as a limit, `scores` has the scores that were found, and FOURBOOK_UNKNOWN for others.
 */
enum fourbook_status fourbook_oracle_scores(const struct fourbook_oracle *oracle,
                                            const struct fourbook_position *positions,
                                            size_t number,
                                            const struct fourbook_limits *limits,
                                            int8_t *scores);

/**
 * Writes the scores of `number` positions and of all their moves to `analyses`, searching on all
 * threads of the oracle. Limits hold for all positions together; `limits` may be null. After an error
 * of the work itself, such as a limit, `analyses` has the scores that were found, and FOURBOOK_UNKNOWN
 * for others.
 */
enum fourbook_status fourbook_oracle_analyse_many(const struct fourbook_oracle *oracle,
                                                  const struct fourbook_position *positions,
                                                  size_t number,
                                                  const struct fourbook_limits *limits,
                                                  struct fourbook_analysis *analyses);

/**
 * Writes the number of nodes that the oracle's searches have visited to `nodes`.
 */
enum fourbook_status fourbook_oracle_nodes(const struct fourbook_oracle *oracle, uint64_t *nodes);

/**
 * Begins to answer a question about a position: `score`, `outcome`, `moves` (the scores of all
 * moves), `best-move`, `best-moves` or `line` (the moves of perfect play). The scores that the rules,
 * the book and the strategies know are there at once, moves after a step. Free it with
 * `fourbook_query_free`; the oracle may be freed earlier.
 */
enum fourbook_status fourbook_query_new(const struct fourbook_oracle *oracle,
                                        const struct fourbook_position *position,
                                        const char *question,
                                        struct fourbook_query **query);

/**
 * Works on. FOURBOOK_STATUS_OK if the answer is complete. FOURBOOK_STATUS_NODE_BUDGET,
 * FOURBOOK_STATUS_DEADLINE or FOURBOOK_STATUS_CANCELLED if a limit of this step ended it: the next step
 * goes on. A step should have at least some thousand nodes, or some milliseconds. `limits` may be
 * null. No other call may be using the query.
 */
enum fourbook_status fourbook_query_step(struct fourbook_query *query,
                                         const struct fourbook_limits *limits);

/**
 * Writes the known results: scores and bounds, and FOURBOOK_UNKNOWN for other scores.
 */
enum fourbook_status fourbook_query_analysis(const struct fourbook_query *query,
                                             struct fourbook_analysis *analysis);

/**
 * Writes the known moves of perfect play at `columns`, columns from 0, and their
 * number into `length`. If `columns` is null, only the number is written; FOURBOOK_MAX_MOVES are enough
 * on every board. If they are more than `capacity`, FOURBOOK_STATUS_BUFFER_TOO_SMALL is returned, and
 * nothing is written at `columns`. The answer to `best-move` has one move, that to `line` all to the
 * end of the game.
 */
enum fourbook_status fourbook_query_line(const struct fourbook_query *query,
                                         uint8_t *columns,
                                         size_t capacity,
                                         size_t *length);

/**
 * Frees a query. Null is fine.
 */
void fourbook_query_free(struct fourbook_query *query);

/**
 * The text of the last error on this thread: what was expected, what came and what to do; empty if
 * there was none. It stays until the next error on this thread.
 */
const char *fourbook_last_error(void);

/**
 * The version of the library, such as `0.1.0`.
 */
const char *fourbook_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* FOURBOOK_H */
