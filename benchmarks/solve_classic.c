/* Solitaire classic solved exactly: the plain C program that the solver is measured against. Prints seconds and value.
   Rows of one direction may be swapped, so a sheet is two pairs of row states; both directions mirror each other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CELLS = 11, NEEDED = 5, OPEN = 56, CLOSED = OPEN, STATES = 57, PAIRS = STATES * (STATES + 1) / 2 };
enum { MISTHROWS = 4, COST = 5, RANKS = 12 };

static double *values;
static int next_of[STATES], crosses_of[STATES], step[STATES][CELLS], gain[STATES][CELLS];
static int low_of[PAIRS], high_of[PAIRS], rank_of[PAIRS], closed_of[PAIRS];

static int pair(int a, int b) { return a <= b ? a + b * (b + 1) / 2 : b + a * (a + 1) / 2; }
static int place_of(int row, int number) { return row < 2 ? number - 2 : 12 - number; }

static double going_on(const int *rows, int misthrows) {
    int closed = 0;
    for (int row = 0; row < 4; row++) closed += rows[row] == CLOSED;
    if (closed >= 2 || misthrows >= MISTHROWS) return 0;
    return values[((long)pair(rows[0], rows[1]) * PAIRS + pair(rows[2], rows[3])) * MISTHROWS + misthrows];
}

static void coloured(const int *rows, int misthrows, double gained, double best[4][13]) {
    int after[4];
    memcpy(after, rows, sizeof after);
    for (int row = 0; row < 4; row++)
        for (int number = 2; number <= 12; number++) {
            int place = place_of(row, number), state = rows[row], target = step[state][place];
            if (target < 0) continue;
            after[row] = target;
            double value = gained + gain[state][place] + going_on(after, misthrows);
            if (value > best[row][number]) best[row][number] = value;
            after[row] = state;
        }
}

static double expected_best(double best[4][13], int first, int second, double base) {
    double value[24], expected = 0, chance = 1;
    int colour[24], left[4] = {6, 6, 6, 6}, count = 0;
    for (int row = 0; row < 4; row++)
        for (int pips = 1; pips <= 6; pips++) {
            double a = best[row][first + pips], b = best[row][second + pips];
            if (b > a) a = b;
            if (a <= base) continue;
            int at = count++;
            for (; at > 0 && value[at - 1] < a; at--) value[at] = value[at - 1], colour[at] = colour[at - 1];
            value[at] = a, colour[at] = row;
        }
    for (int face = 0; face < count; face++) {
        int faces = left[colour[face]]--;
        double below = chance * (faces - 1) / faces;
        expected += (chance - below) * value[face];
        chance = below;
    }
    return expected + chance * base;
}

static double turn(const int *rows, int misthrows) {
    double alone[4][13], best[4][13], total = 0, nothing = going_on(rows, misthrows + 1) - COST;
    for (int row = 0; row < 4; row++)
        for (int number = 0; number < 13; number++) alone[row][number] = -1e18;
    coloured(rows, misthrows, 0, alone);
    for (int number = 2; number <= 12; number++) {
        double base = nothing;
        memcpy(best, alone, sizeof best);
        for (int row = 0; row < 4; row++) {
            int after[4], place = place_of(row, number), target = step[rows[row]][place], closed = 0;
            if (target < 0) continue;
            memcpy(after, rows, sizeof after);
            after[row] = target;
            double gained = gain[rows[row]][place], value = gained + going_on(after, misthrows);
            if (value > base) base = value;
            for (int other = 0; other < 4; other++) closed += after[other] == CLOSED;
            if (closed < 2) coloured(after, misthrows, gained, best);
        }
        for (int first = 1; first <= 6; first++) {
            int second = number - first;
            if (second < first || second > 6) continue;
            total += (first == second ? 1 : 2) * expected_best(best, first, second, base);
        }
    }
    return total / 36;
}

static void prepare(void) {
    for (int state = 0, next = 0; next < CELLS; next++)
        for (int crosses = next > 0; crosses <= next; crosses++, state++) next_of[state] = next, crosses_of[state] = crosses;
    next_of[CLOSED] = RANKS;
    for (int state = 0; state < STATES; state++)
        for (int place = 0; place < CELLS; place++) {
            int crosses = crosses_of[state];
            step[state][place] = -1;
            if (state == CLOSED || place < next_of[state]) continue;
            if (place < CELLS - 1) step[state][place] = (place + 1) * place / 2 + crosses + 1, gain[state][place] = crosses + 1;
            else if (crosses >= NEEDED) step[state][place] = CLOSED, gain[state][place] = 2 * crosses + 3;
        }
    for (int b = 0; b < STATES; b++)
        for (int a = 0; a <= b; a++) {
            int at = pair(a, b);
            low_of[at] = a, high_of[at] = b, rank_of[at] = next_of[a] + next_of[b];
            closed_of[at] = (a == CLOSED) + (b == CLOSED);
        }
}

int main(void) {
    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    values = calloc((size_t)PAIRS * PAIRS * MISTHROWS, sizeof *values);
    prepare();
    for (int rank = 4 * RANKS; rank >= 0; rank--) {
#pragma omp parallel for schedule(dynamic, 8)
        for (int one = 0; one < PAIRS; one++)
            for (int two = one; two < PAIRS; two++) {
                if (rank_of[one] + rank_of[two] != rank || closed_of[one] + closed_of[two] >= 2) continue;
                int rows[4] = {low_of[one], high_of[one], low_of[two], high_of[two]};
                for (int misthrows = MISTHROWS - 1; misthrows >= 0; misthrows--) {
                    double value = turn(rows, misthrows);
                    values[((long)one * PAIRS + two) * MISTHROWS + misthrows] = value;
                    values[((long)two * PAIRS + one) * MISTHROWS + misthrows] = value;
                }
            }
    }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    printf("%.3f %.6f\n", (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec), values[0]);
    return 0;
}
