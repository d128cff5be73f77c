/* Random two-player classic games, one at a time: the plain C program that the kernel is measured against.
   Usage: random_games GAMES SEED; prints games, seconds, mean score, mean turns. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 4, CELLS = 11, SEATS = 2, NEEDED = 5, END_ROWS = 2, MISTHROWS = 4, COST = 5 };

typedef struct { int next[ROWS], crosses[ROWS], misthrows; } Sheet;
typedef struct { int row, place; } Option;

static uint64_t state;

static uint64_t draw(void) {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static int below(int n) { return (int)(((draw() >> 32) * (uint64_t)n) >> 32); }

static int place_of(int row, int number) { return row < 2 ? number - 2 : 12 - number; }

static int legal(const Sheet *sheet, const int *closed, int row, int place) {
    if (closed[row] || place < sheet->next[row]) return 0;
    return place < CELLS - 1 || sheet->crosses[row] >= NEEDED;
}

static void cross(Sheet *sheet, Option option) {
    sheet->next[option.row] = option.place + 1;
    sheet->crosses[option.row] += option.place == CELLS - 1 ? 2 : 1;
}

static int score(const Sheet *sheet) {
    int total = -COST * sheet->misthrows;
    for (int row = 0; row < ROWS; row++) total += sheet->crosses[row] * (sheet->crosses[row] + 1) / 2;
    return total;
}

static int play(long *points) {
    Sheet sheets[SEATS] = {0};
    int closed[ROWS] = {0}, turns = 0, active = below(SEATS);
    for (;; active = (active + 1) % SEATS, turns++) {
        int white[2] = {1 + below(6), 1 + below(6)}, coloured[ROWS], crossed = 0, count = 0;
        for (int row = 0; row < ROWS; row++) coloured[row] = 1 + below(6);
        Option chosen[SEATS];
        int made[SEATS];
        for (int seat = 0; seat < SEATS; seat++) {
            Option options[ROWS];
            int n = 0;
            for (int row = 0; row < ROWS; row++) {
                int place = place_of(row, white[0] + white[1]);
                if (legal(&sheets[seat], closed, row, place)) options[n++] = (Option){row, place};
            }
            int pick = below(n + 1);
            made[seat] = pick < n;
            if (made[seat]) chosen[seat] = options[pick];
        }
        for (int seat = 0; seat < SEATS; seat++)
            if (made[seat]) {
                cross(&sheets[seat], chosen[seat]);
                if (chosen[seat].place == CELLS - 1) closed[chosen[seat].row] = 1;
            }
        for (int row = 0; row < ROWS; row++) count += closed[row];
        if (count >= END_ROWS) break;
        crossed = made[active];
        Option options[2 * ROWS];
        int n = 0;
        for (int row = 0; row < ROWS; row++)
            for (int die = 0; die < (white[0] == white[1] ? 1 : 2); die++) {
                int place = place_of(row, white[die] + coloured[row]);
                if (legal(&sheets[active], closed, row, place)) options[n++] = (Option){row, place};
            }
        int pick = below(n + 1);
        if (pick < n) {
            cross(&sheets[active], options[pick]);
            crossed = 1;
            if (options[pick].place == CELLS - 1) {
                closed[options[pick].row] = 1;
                if (count + 1 >= END_ROWS) break;
            }
        }
        if (!crossed && ++sheets[active].misthrows >= MISTHROWS) break;
    }
    for (int seat = 0; seat < SEATS; seat++) points[seat] += score(&sheets[seat]);
    return turns + 1;
}

int main(int argc, char **argv) {
    long games = argc > 1 ? atol(argv[1]) : 1000000, points[SEATS] = {0}, turns = 0;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    for (long game = 0; game < games; game++) turns += play(points);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    double seconds = (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
    printf("%ld %.6f %.4f %.4f\n", games, seconds, (double)(points[0] + points[1]) / SEATS / (double)games, (double)turns / (double)games);
    return 0;
}
