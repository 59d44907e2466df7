/*
 * A bot for Connect Four on @size@ boards, in one file without dependencies: a module for browsers and
 * Node.js.
 *
 *     import { best_move } from "./bot.mjs";
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
 *     echo 44 | node bot.mjs
 *
 * Made by fourbook @version@. Licence: MIT or Apache-2.0.
 */

const WIDTH = @width@;
const HEIGHT = @height@;
const CELLS = WIDTH * HEIGHT;

/** Milliseconds that a search may take. */
const TIME_LIMIT = 1000;

/** 1 if the moves keep win or draw only, 0 if they win as soon and lose as late as possible. */
const OUTCOMES_ONLY = @outcomes@;

/**
 * The strategies of both players: the moves as base64, the stones before the last moves, and whether
 * there are values between the moves.
 */
const FIRST = {
    text: `
@first@
`,
    depth: @first_depth@,
    hasValues: @first_values@,
};
const SECOND = {
    text: `
@second@
`,
    depth: @second_depth@,
    hasValues: @second_values@,
};

const COLUMN_NAMES = "123456789abcdefg";
const BLANKS = " \t\r\n";

// ---- Boards -----------------------------------------------------------------------------------

// A set of cells has 64 bits, as two numbers: `low` has bits 0 to 31, `high` the others. Each cell is a
// bit: column * RISE + row, both from 0, the lowest row first. The bit above each column is free, so that
// lines do not go on in the next column. Functions that find a set of cells return its low bits, and
// leave the high ones in `upper`.

const RISE = HEIGHT + 1;

let upper = 0;

/** The cells of a column, and the bit above it if `rows` is RISE. */
function columnMask(column, rows) {
    let low = 0;
    upper = 0;
    for (let bit = column * RISE; bit < column * RISE + rows; bit++) {
        if (bit < 32) {
            low |= 1 << bit;
        } else {
            upper |= 1 << (bit - 32);
        }
    }
    return low;
}

/** The columns from the centre outwards, the left one first of two. */
const FROM_CENTRE = Array.from({ length: WIDTH }, (_, column) => column).sort(
    (left, right) => Math.abs(2 * left - WIDTH + 1) - Math.abs(2 * right - WIDTH + 1) || left - right,
);

const COLUMN_LOW = new Int32Array(WIDTH);
const COLUMN_HIGH = new Int32Array(WIDTH);
let BOTTOM_LOW = 0;
let BOTTOM_HIGH = 0;
let BOARD_LOW = 0;
let BOARD_HIGH = 0;
for (let column = 0; column < WIDTH; column++) {
    BOTTOM_LOW |= columnMask(column, 1);
    BOTTOM_HIGH |= upper;
    COLUMN_LOW[column] = columnMask(column, HEIGHT);
    COLUMN_HIGH[column] = upper;
    BOARD_LOW |= COLUMN_LOW[column];
    BOARD_HIGH |= COLUMN_HIGH[column];
}

function count(bits) {
    let number = 0;
    for (; bits !== 0; bits &= bits - 1) {
        number++;
    }
    return number;
}

/** The column of the lowest cell. */
function columnOf(low, high) {
    let column = 0;
    while (!((low & COLUMN_LOW[column]) | (high & COLUMN_HIGH[column]))) {
        column++;
    }
    return column;
}

/** The cell above the stones of each column, which is above the board where the column is full. */
function above(allLow, allHigh) {
    upper = ((allHigh << 1) | (allLow >>> 31) | BOTTOM_HIGH) & ~allHigh;
    return ((allLow << 1) | BOTTOM_LOW) & ~allLow;
}

let completingHigh = 0;

/** The cells that complete four in a direction, in which neighbours are `step` bits apart. */
function completing(low, high, step) {
    const other = 32 - step;
    const before1Low = low << step;
    const before1High = (high << step) | (low >>> other);
    const before2Low = before1Low << step;
    const before2High = (before1High << step) | (before1Low >>> other);
    const before3Low = before2Low << step;
    const before3High = (before2High << step) | (before2Low >>> other);
    const after1High = high >>> step;
    const after1Low = (low >>> step) | (high << other);
    const after2High = after1High >>> step;
    const after2Low = (after1Low >>> step) | (after1High << other);
    const after3High = after2High >>> step;
    const after3Low = (after2Low >>> step) | (after2High << other);
    completingHigh =
        (before1High & before2High & (before3High | after1High)) |
        (after1High & after2High & (after3High | before1High));
    return (
        (before1Low & before2Low & (before3Low | after1Low)) |
        (after1Low & after2Low & (after3Low | before1Low))
    );
}

/** The empty cells that complete four of these stones, playable or not. */
function threats(low, high, allLow, allHigh) {
    let foundLow = (low << 1) & (low << 2) & (low << 3);
    let foundHigh =
        ((high << 1) | (low >>> 31)) & ((high << 2) | (low >>> 30)) & ((high << 3) | (low >>> 29));
    foundLow |= completing(low, high, RISE - 1);
    foundHigh |= completingHigh;
    foundLow |= completing(low, high, RISE);
    foundHigh |= completingHigh;
    foundLow |= completing(low, high, RISE + 1);
    foundHigh |= completingHigh;
    upper = foundHigh & BOARD_HIGH & ~allHigh;
    return foundLow & BOARD_LOW & ~allLow;
}

/** The moves after which the opponent, who has these threats, cannot win at once. */
function safeMoves(allLow, allHigh, threatsLow, threatsHigh) {
    let movesLow = above(allLow, allHigh) & BOARD_LOW;
    let movesHigh = upper & BOARD_HIGH;
    const forcedLow = movesLow & threatsLow;
    const forcedHigh = movesHigh & threatsHigh;
    if (forcedLow | forcedHigh) {
        const isOne = !(forcedLow & (forcedLow - 1)) && !(forcedHigh & (forcedHigh - 1));
        const isSingle = isOne && !(forcedLow && forcedHigh);
        movesLow = isSingle ? forcedLow : 0;
        movesHigh = isSingle ? forcedHigh : 0;
    }
    upper = movesHigh & ~(threatsHigh >>> 1);
    return movesLow & ~((threatsLow >>> 1) | (threatsHigh << 31));
}

/** The mirror image of a key. */
function mirrored(low, high) {
    let mirrorLow = 0;
    let mirrorHigh = 0;
    for (let column = 0; column < WIDTH; column++) {
        const from = column * RISE;
        let bits = from >= 32 ? high >>> (from - 32) : low >>> from;
        if (from > 0 && from < 32) {
            bits |= high << (32 - from);
        }
        bits &= (2 << HEIGHT) - 1;
        const to = (WIDTH - 1 - column) * RISE;
        if (to >= 32) {
            mirrorHigh |= bits << (to - 32);
        } else {
            mirrorLow |= bits << to;
            mirrorHigh |= to > 0 ? bits >>> (32 - to) : 0;
        }
    }
    upper = mirrorHigh;
    return mirrorLow;
}

/**
 * The key of a position: in each column, the highest bit is its height, and those below are stones of the
 * side to move. Of a position and its mirror image, the smaller key.
 */
function canonicalKey(ownLow, ownHigh, allLow, allHigh) {
    const low = above(allLow, allHigh) | ownLow;
    const high = upper | ownHigh;
    const mirrorLow = mirrored(low, high);
    const isSmaller =
        upper === high ? mirrorLow >>> 0 < low >>> 0 : upper >>> 0 < high >>> 0;
    upper = isSmaller ? upper : high;
    return isSmaller ? mirrorLow : low;
}

/** All stones of the position with a key. */
function stonesOf(low, high) {
    for (let row = 0; row < HEIGHT; row++) {
        low |= ((low >>> 1) | (high << 31)) & BOARD_LOW;
        high |= (high >>> 1) & BOARD_HIGH;
    }
    upper = (high >>> 1) & BOARD_HIGH;
    return ((low >>> 1) | (high << 31)) & BOARD_LOW;
}

// ---- The strategies ---------------------------------------------------------------------------

/** A small number for each of up to `most` keys. */
class KeyMap {
    constructor(most) {
        let length = 16;
        while (length < 2 * most) {
            length *= 2;
        }
        this.mask = length - 1;
        this.low = new Int32Array(length);
        this.high = new Int32Array(length);
        this.values = new Int8Array(length);
        this.size = 0;
    }

    /** The place of a key, or a free place for it. */
    place(low, high) {
        let place = hash(low, high) & this.mask;
        while (this.low[place] | this.high[place]) {
            if (this.low[place] === low && this.high[place] === high) {
                break;
            }
            place = (place + 1) & this.mask;
        }
        return place;
    }

    has(low, high) {
        const place = this.place(low, high);
        return (this.low[place] | this.high[place]) !== 0;
    }

    /** The number of a key; undefined without it. */
    get(low, high) {
        return this.has(low, high) ? this.values[this.place(low, high)] : undefined;
    }

    set(low, high, value) {
        const place = this.place(low, high);
        if (!(this.low[place] | this.high[place])) {
            this.size++;
        }
        this.low[place] = low;
        this.high[place] = high;
        this.values[place] = value;
    }

    /** The keys in ascending order: low and high bits in turn. */
    sorted() {
        const keys = new BigUint64Array(this.size);
        const halves = new Int32Array(keys.buffer);
        let length = 0;
        for (let place = 0; place <= this.mask; place++) {
            if (this.low[place] | this.high[place]) {
                halves[length++] = this.low[place];
                halves[length++] = this.high[place];
            }
        }
        keys.sort();
        return halves;
    }
}

function hash(low, high) {
    const mixed = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
    return mixed ^ (mixed >>> 15);
}

/** The moves of one player. They are decoded ply by ply, as each ply follows from the one before. */
class Strategy {
    constructor({ text, depth, hasValues }, first) {
        this.depth = depth;
        this.hasValues = hasValues;
        this.bytes = atob(text.replace(/\s/g, ""));
        this.place = 0;
        this.range = 2 ** 32 - 1;
        this.code = 0;
        for (let byte = 0; byte < 4; byte++) {
            this.code = this.code * 256 + this.nextByte();
        }
        this.counts = new Uint8Array(2 * 512).fill(1);
        /** The columns by key, for each ply. */
        this.plies = [];
        /** The next ply, and the least value that each of its positions can have. */
        this.ply = first;
        this.next = new KeyMap(WIDTH);
        const least = OUTCOMES_ONLY ? -1 : -Math.floor((CELLS - 5) / 2);
        if (first === 0) {
            this.next.set(BOTTOM_LOW, BOTTOM_HIGH, least);
        } else {
            this.addReplies(BOTTOM_LOW, BOTTOM_HIGH, least);
        }
    }

    /** The next byte; zeros follow the last one. */
    nextByte() {
        return this.place < this.bytes.length ? this.bytes.charCodeAt(this.place++) : 0;
    }

    /** Decodes a bit, as a range coder. Each context learns how likely its bits are. */
    nextBit(context) {
        const { counts } = this;
        const place = 2 * context;
        const zero = Math.floor(this.range / (counts[place] + counts[place + 1])) * counts[place];
        const bit = this.code >= zero ? 1 : 0;
        if (bit) {
            this.code -= zero;
            this.range -= zero;
        } else {
            this.range = zero;
        }
        counts[place + bit] += 2;
        if (counts[place] + counts[place + 1] > 64) {
            counts[place] = (counts[place] + 1) >> 1;
            counts[place + 1] = (counts[place + 1] + 1) >> 1;
        }
        while (this.range < 2 ** 24) {
            this.range *= 256;
            this.code = this.code * 256 + this.nextByte();
        }
        return bit;
    }

    /** The column that the player plays; undefined if the strategy does not have the position. */
    find(ownLow, ownHigh, allLow, allHigh, ply) {
        if (ply > this.depth) {
            return undefined;
        }
        while (this.ply <= ply) {
            this.decodePly();
        }
        const low = canonicalKey(ownLow, ownHigh, allLow, allHigh);
        const high = upper;
        const column = this.plies[ply].get(low, high);
        const isMirrored = low !== (above(allLow, allHigh) | ownLow) || high !== (upper | ownHigh);
        return column !== undefined && isMirrored ? WIDTH - 1 - column : column;
    }

    /**
     * Decodes the moves of a ply, and finds the positions of the player's next one. A move is more likely
     * if the ply has chosen the position after it before, or if it makes a threat.
     */
    decodePly() {
        const leasts = this.next;
        const keys = leasts.sorted();
        const moves = new KeyMap(leasts.size);
        const chosen = new KeyMap(leasts.size);
        this.next = new KeyMap(leasts.size * WIDTH);
        for (let place = 0; place < keys.length; place += 2) {
            const low = keys[place];
            const high = keys[place + 1];
            const choices = listChoices(low, high);
            const isChosen = choices.map((choice) => chosen.has(choice.low, choice.high));
            let number = 0;
            for (; number < choices.length - 1; number++) {
                const later = choices.length - 1 - number;
                const isLaterChosen = isChosen.indexOf(true, number + 1) >= 0;
                const context = 8 * later + 4 * isChosen[number] + 2 * isLaterChosen;
                if (this.nextBit(context + choices[number].threatens)) {
                    break;
                }
            }
            const choice = choices[number];
            chosen.set(choice.low, choice.high, 1);
            moves.set(low, high, choice.column);
            let value = leasts.get(low, high);
            if (this.hasValues) {
                value = this.decodeValue(value);
            }
            this.addReplies(choice.low, choice.high, value);
        }
        this.plies[this.ply] = moves;
        this.ply += 2;
    }

    /** Decodes the value of a position: a bit for each value from the least on, 1 for the right one. */
    decodeValue(least) {
        const limit = OUTCOMES_ONLY ? 1 : CELLS;
        const most = Math.min(Math.max(Math.floor((CELLS - this.ply - 1) / 2), 0), limit);
        const context = 128 * (2 + Math.sign(least));
        let value = least;
        while (value < most && !this.nextBit(context + value - least)) {
            value++;
        }
        return value;
    }

    /**
     * Adds the positions after the opponent's replies in which the player has to choose: the game goes
     * on, and the player cannot win at once.
     */
    addReplies(keyLow, keyHigh, least) {
        const allLow = stonesOf(keyLow, keyHigh);
        const allHigh = upper;
        const ownLow = keyLow & allLow;
        const ownHigh = keyHigh & allHigh;
        const otherLow = ownLow ^ allLow;
        const otherHigh = ownHigh ^ allHigh;
        const winsLow = threats(ownLow, ownHigh, allLow, allHigh);
        const winsHigh = upper;
        const movesLow = above(allLow, allHigh) & BOARD_LOW & ~winsLow;
        const movesHigh = upper & BOARD_HIGH & ~winsHigh;
        for (let column = 0; column < WIDTH; column++) {
            const cellLow = movesLow & COLUMN_LOW[column];
            const cellHigh = movesHigh & COLUMN_HIGH[column];
            const afterLow = allLow | cellLow;
            const afterHigh = allHigh | cellHigh;
            const answersLow = threats(otherLow, otherHigh, afterLow, afterHigh);
            const answersHigh = upper;
            const canWin = (above(afterLow, afterHigh) & answersLow) | (upper & answersHigh);
            const isFull = afterLow === BOARD_LOW && afterHigh === BOARD_HIGH;
            if (!(cellLow | cellHigh) || canWin || isFull) {
                continue;
            }
            const low = canonicalKey(otherLow, otherHigh, afterLow, afterHigh);
            const high = upper;
            const before = this.next.get(low, high);
            this.next.set(low, high, before === undefined ? least : Math.max(before, least));
        }
    }
}

/**
 * The moves after which the opponent cannot win at once, from the centre outwards, one of two that lead
 * to mirror images; if there are none, the first legal one. A choice has its column, the canonical key
 * after it, and whether it makes a threat.
 */
function listChoices(keyLow, keyHigh) {
    const allLow = stonesOf(keyLow, keyHigh);
    const allHigh = upper;
    const ownLow = keyLow & allLow;
    const ownHigh = keyHigh & allHigh;
    const otherLow = ownLow ^ allLow;
    const otherHigh = ownHigh ^ allHigh;
    const beforeLow = threats(ownLow, ownHigh, allLow, allHigh);
    const beforeHigh = upper;
    const threatsLow = threats(otherLow, otherHigh, allLow, allHigh);
    let movesLow = safeMoves(allLow, allHigh, threatsLow, upper);
    let movesHigh = upper;
    const isSafe = movesLow | movesHigh;
    if (!isSafe) {
        movesLow = above(allLow, allHigh) & BOARD_LOW;
        movesHigh = upper & BOARD_HIGH;
    }
    const choices = [];
    for (const column of FROM_CENTRE) {
        const cellLow = movesLow & COLUMN_LOW[column];
        const cellHigh = movesHigh & COLUMN_HIGH[column];
        if (!(cellLow | cellHigh)) {
            continue;
        }
        const afterLow = allLow | cellLow;
        const afterHigh = allHigh | cellHigh;
        const low = canonicalKey(otherLow, otherHigh, afterLow, afterHigh);
        const high = upper;
        if (!choices.some((choice) => choice.low === low && choice.high === high)) {
            const newLow = threats(ownLow | cellLow, ownHigh | cellHigh, afterLow, afterHigh);
            const threatens = (newLow & ~beforeLow) | (upper & ~beforeHigh) ? 1 : 0;
            choices.push({ column, low, high, threatens });
        }
        if (!isSafe) {
            break;
        }
    }
    return choices;
}

// ---- The search -------------------------------------------------------------------------------

// Scores are for the side to move: 0 for a draw, positive for a win, negative for a loss. A win with the
// side's last stone scores 1, with the stone before it 2, and so on. The search knows positions in which
// the side to move has safe moves, so neither side can win with its next stone.

/** What is known of positions, by key: the score is at least `tableLeast` and at most `tableMost`. */
const TABLE_LOG2 = 20;
const TABLE_LENGTH = 2 ** TABLE_LOG2;
const tableLow = new Int32Array(TABLE_LENGTH);
const tableHigh = new Int32Array(TABLE_LENGTH);
const tableLeast = new Int8Array(TABLE_LENGTH);
const tableMost = new Int8Array(TABLE_LENGTH);

/** The moves of the positions that are being searched: for each ply a row with WIDTH moves. */
const ROW = WIDTH;
const moveCellLow = new Int32Array(CELLS * ROW);
const moveCellHigh = new Int32Array(CELLS * ROW);
/** The safe replies. */
const moveRepliesLow = new Int32Array(CELLS * ROW);
const moveRepliesHigh = new Int32Array(CELLS * ROW);
/** How good the move seems. */
const movePromise = new Int32Array(CELLS * ROW);

let nodes = 0;
let deadline = 0;
let isStopped = false;

/** The best score: a win with the next stone but one. */
function mostOf(ply) {
    return (CELLS - ply - 1) >> 1;
}

/** The worst score: the opponent wins with the next stone but one. */
function leastOf(ply) {
    return -((CELLS - ply - 2) >> 1);
}

/** Puts the move in one place into another one. */
function copyMove(from, to) {
    moveCellLow[to] = moveCellLow[from];
    moveCellHigh[to] = moveCellHigh[from];
    moveRepliesLow[to] = moveRepliesLow[from];
    moveRepliesHigh[to] = moveRepliesHigh[from];
    movePromise[to] = movePromise[from];
}

/**
 * Lists the safe moves of a position in the row of its ply, the most promising first: with the most
 * threats, nearest to the centre. Returns the end of the list.
 */
function listMoves(ownLow, ownHigh, allLow, allHigh, movesLow, movesHigh, ply) {
    const start = ply * ROW;
    let end = start;
    for (let number = 0; number < WIDTH; number++) {
        const column = FROM_CENTRE[number];
        const cellLow = movesLow & COLUMN_LOW[column];
        const cellHigh = movesHigh & COLUMN_HIGH[column];
        if (!(cellLow | cellHigh)) {
            continue;
        }
        const afterLow = allLow | cellLow;
        const afterHigh = allHigh | cellHigh;
        const threatsLow = threats(ownLow | cellLow, ownHigh | cellHigh, afterLow, afterHigh);
        const threatsHigh = upper;
        const repliesLow = safeMoves(afterLow, afterHigh, threatsLow, threatsHigh);
        const repliesHigh = upper;
        const promise = count(threatsLow) + count(threatsHigh);
        let place = end++;
        for (; place > start && movePromise[place - 1] < promise; place--) {
            copyMove(place - 1, place);
        }
        moveCellLow[place] = cellLow;
        moveCellHigh[place] = cellHigh;
        moveRepliesLow[place] = repliesLow;
        moveRepliesHigh[place] = repliesHigh;
        movePromise[place] = promise;
    }
    return end;
}

/** The score after a move in a list, as far as the window of `beta` asks. */
function searchMove(ownLow, ownHigh, allLow, allHigh, place, ply, beta) {
    if (!(moveRepliesLow[place] | moveRepliesHigh[place])) {
        return mostOf(ply);
    }
    return -search(
        ownLow ^ allLow,
        ownHigh ^ allHigh,
        allLow | moveCellLow[place],
        allHigh | moveCellHigh[place],
        moveRepliesLow[place],
        moveRepliesHigh[place],
        ply + 1,
        1 - beta,
    );
}

/**
 * Whether the score of a position is at least `beta`: returns at least `beta`, a lower bound of the score,
 * or less, an upper bound. Means nothing if the search is stopped.
 */
function search(ownLow, ownHigh, allLow, allHigh, movesLow, movesHigh, ply, beta) {
    const most = mostOf(ply);
    let best = leastOf(ply);
    if (most < beta) {
        return most;
    }
    if (best >= beta) {
        return best;
    }
    if (++nodes % 1024 === 0 && performance.now() > deadline) {
        isStopped = true;
    }
    if (isStopped) {
        return 0;
    }
    const keyLow = above(allLow, allHigh) | ownLow;
    const keyHigh = upper | ownHigh;
    const entry = hash(keyLow, keyHigh) & (TABLE_LENGTH - 1);
    let low = -CELLS;
    let high = CELLS;
    if (tableLow[entry] === keyLow && tableHigh[entry] === keyHigh) {
        low = tableLeast[entry];
        high = tableMost[entry];
    }
    if (low >= beta) {
        return low;
    }
    if (high < beta) {
        return high;
    }
    const start = ply * ROW;
    const end = listMoves(ownLow, ownHigh, allLow, allHigh, movesLow, movesHigh, ply);
    for (let place = start; place < end; place++) {
        if (!(moveRepliesLow[place] | moveRepliesHigh[place])) {
            // The opponent cannot prevent the win.
            return most;
        }
    }
    for (let place = start; place < end; place++) {
        const afterLow = allLow | moveCellLow[place];
        const afterHigh = allHigh | moveCellHigh[place];
        const childLow = above(afterLow, afterHigh) | (ownLow ^ allLow);
        const childHigh = upper | (ownHigh ^ allHigh);
        const child = hash(childLow, childHigh) & (TABLE_LENGTH - 1);
        const isKnown = tableLow[child] === childLow && tableHigh[child] === childHigh;
        if (isKnown && -tableMost[child] >= beta) {
            return -tableMost[child];
        }
    }
    for (let place = start; place < end && best < beta; place++) {
        const score = searchMove(ownLow, ownHigh, allLow, allHigh, place, ply, beta);
        if (isStopped) {
            return 0;
        }
        best = Math.max(best, score);
    }
    tableLow[entry] = keyLow;
    tableHigh[entry] = keyHigh;
    tableLeast[entry] = best >= beta ? best : low;
    tableMost[entry] = best >= beta ? high : best;
    return best;
}

/**
 * The column of the best move. Results that come soon are cheap to find, so they come first. The next
 * question is whether the game is won, drawn or lost, and then how soon.
 */
function searchBest(ownLow, ownHigh, allLow, allHigh, ply) {
    const legalLow = above(allLow, allHigh) & BOARD_LOW;
    const legalHigh = upper & BOARD_HIGH;
    const winsLow = threats(ownLow, ownHigh, allLow, allHigh) & legalLow;
    const winsHigh = upper & legalHigh;
    if (winsLow | winsHigh) {
        return columnOf(winsLow, winsHigh);
    }
    const threatsLow = threats(ownLow ^ allLow, ownHigh ^ allHigh, allLow, allHigh);
    const threatsHigh = upper;
    const movesLow = safeMoves(allLow, allHigh, threatsLow, threatsHigh);
    const movesHigh = upper;
    if (!(movesLow | movesHigh)) {
        // Lost at once: block at least one threat.
        const forcedLow = legalLow & threatsLow;
        const forcedHigh = legalHigh & threatsHigh;
        return forcedLow | forcedHigh
            ? columnOf(forcedLow, forcedHigh)
            : columnOf(legalLow, legalHigh);
    }
    const start = ply * ROW;
    const end = listMoves(ownLow, ownHigh, allLow, allHigh, movesLow, movesHigh, ply);
    const most = mostOf(ply);
    const least = leastOf(ply);
    let low = least;
    let high = most;
    deadline = performance.now() + TIME_LIMIT;
    isStopped = end - start < 2;
    // The places of the moves, the best known first.
    const places = Array.from({ length: end - start }, (_, number) => start + number);

    /** Searches for a move that scores `beta` or more. */
    function findMove(beta) {
        if (beta <= low || beta > high || isStopped) {
            return;
        }
        let best = low;
        for (const place of places) {
            const score = searchMove(ownLow, ownHigh, allLow, allHigh, place, ply, beta);
            if (isStopped) {
                return;
            }
            best = Math.max(best, score);
            if (score >= beta) {
                low = score;
                places.splice(places.indexOf(place), 1);
                places.unshift(place);
                return;
            }
        }
        high = best;
    }

    for (let stones = 0; low < high && !isStopped; stones++) {
        if (stones === 4) {
            findMove(1);
            findMove(0);
            if (OUTCOMES_ONLY) {
                break;
            }
        }
        findMove(most - stones);
        findMove(least + stones + 1);
    }
    return columnOf(moveCellLow[places[0]], moveCellHigh[places[0]]);
}

// ---- The bot ----------------------------------------------------------------------------------

const strategies = [];

/** The column, from 1, of the best move after a game; 0 if it is no game, or over. */
export function best_move(moves) {
    let ownLow = 0;
    let ownHigh = 0;
    let allLow = 0;
    let allHigh = 0;
    let ply = 0;
    if (typeof moves !== "string") {
        return 0;
    }
    for (const name of moves.toLowerCase()) {
        if (BLANKS.includes(name)) {
            continue;
        }
        const column = COLUMN_NAMES.indexOf(name);
        if (column < 0 || column >= WIDTH) {
            return 0;
        }
        const cellLow = above(allLow, allHigh) & COLUMN_LOW[column];
        const cellHigh = upper & COLUMN_HIGH[column];
        const wins = threats(ownLow, ownHigh, allLow, allHigh) & cellLow;
        if (!(cellLow | cellHigh) || wins | (upper & cellHigh)) {
            return 0;
        }
        ownLow ^= allLow;
        ownHigh ^= allHigh;
        allLow |= cellLow;
        allHigh |= cellHigh;
        ply++;
    }
    if (ply === CELLS) {
        return 0;
    }
    strategies[ply % 2] ??= new Strategy(ply % 2 === 0 ? FIRST : SECOND, ply % 2);
    const column = strategies[ply % 2].find(ownLow, ownHigh, allLow, allHigh, ply);
    return 1 + (column ?? searchBest(ownLow, ownHigh, allLow, allHigh, ply));
}

/** The program: answers the lines of standard input. */
async function main() {
    const { createInterface } = await import("node:readline");
    for await (const line of createInterface({ input: process.stdin })) {
        const column = best_move(line);
        console.log(column ? COLUMN_NAMES[column - 1] : "");
        if (!column) {
            console.error(`bot: expected a game that goes on, such as '44', found '${line}'`);
            process.exitCode = 1;
        }
    }
}

if (globalThis.process?.argv?.[1]) {
    const { realpathSync } = await import("node:fs");
    const { pathToFileURL } = await import("node:url");
    if (pathToFileURL(realpathSync(process.argv[1])).href === import.meta.url) {
        await main();
    }
}
