"""Every rule and ruling by its number, in one or two sentences of our own. Reasons and tests name these numbers."""

RULES: dict[str, str] = {
    "S1": "A sheet is made of rows; a row is cells from left to right, each with a colour and a number, and a lock.",
    "S2": "On the classic sheet red and yellow rise from 2 to 12, green and blue fall from 12 to 2.",
    "S3": "The Mixx sheets: A splits the colours across its rows, B keeps a colour a row and shuffles its numbers. "
    "The last cell's colour is the colour of the row's lock.",
    "S4": "On the Longo sheet red and yellow rise from 2 to 16, green and blue fall from 16 to 2; "
    "every sheet carries two lucky numbers.",
    "S5": "A row is crossed from left to right: only right of all its crosses. What was skipped is lost.",
    "S6": "The closing cell, the last of a row (Longo: either of the last two), needs five crosses in its row first "
    "(Longo: six). Whoever crosses it always crosses the lock with it.",
    "S7": "A row of n crosses, the lock counted, scores 1 + 2 + … + n. Rows score as rows, whatever their colours.",
    "S8": "Every misthrow costs five points. The highest total wins.",
    "T1": "Six dice are rolled, two of them white and one in each colour; a die that was removed is not.",
    "T2": "Who begins is drawn, or is the first to roll a six, by the game's own custom. Then it goes round.",
    "T3": "Action 1: everybody, the active player too, may cross the sum of the white dice in one row.",
    "T4": "Action 2: the active player alone may add one white and one coloured die and cross the sum in that colour. "
    "It comes after action 1 is settled for everybody.",
    "T5": "An active player who crosses nothing in both actions marks a misthrow. Nobody else ever does.",
    "T6": "The actions come in order, so action 1 may give the cross that action 2 needs to close a row.",
    "T7": "Longo: when the white sum is one of your lucky numbers, you may instead cross the next cell of the row "
    "with your fewest crosses; you choose among equals. It may close the row.",
    "L1": "A row that anybody closes is closed for everybody from then on, and its lock's die leaves the game.",
    "L2": "In one action 1 several players may close the same row or different ones, and each scores the lock.",
    "L3": "The game ends at once with the second closed row, even if a third closes with it, or a fourth misthrow.",
    "L4": "On Mixx A the colour of a removed die can still be crossed by white sums in the rows that are open.",
    "C1": "The cards: one for every cell, 2 to 12 in four colours, and eleven jokers in the joker game. "
    "A back shows the number, not the colour, nor whether it is a joker.",
    "C2": "Everybody is dealt four cards; four more form the tableau and the rest the pile, backs up.",
    "C3": "Action 1: the active player takes from the tableau up to five cards in hand; it is filled up unseen.",
    "C4": "Action 2: the number on top of the pile is called. Everybody may cross it in one row. The card stays.",
    "C5": "Action 3: the active player plays one to three cards of one colour and crosses any of their numbers, or "
    "none. A joker has the colour its player names.",
    "C6": "Between the first and the last cell crossed in one play at most one may stay open.",
    "C7": "An active player who crosses in neither action 2 nor 3 marks a misthrow.",
    "C8": "Played cards are put aside. An empty pile is at once made anew from them, shuffled.",
    "C9": "A lock closes the row for its own player alone. The game ends at once when somebody has closed two rows or "
    "marked a fourth misthrow.",
    "X1": "What everybody may cross is chosen in secret and settled together; nobody's choice limits another's.",
    "X2": "If that ends the game, nothing follows: no further action and no misthrow.",
    "X3": "A row closed in action 1 is out of reach in action 2 of the same turn, and its die is gone.",
    "X4": "Players who share the highest total share the win.",
    "X5": "For a lucky number the row with the fewest crosses is sought among open rows only.",
    "X6": "Lucky pairs all have the same chance of 11 in 64, and no two players get the same pair.",
    "X7": "All cards are taken first; what fills the tableau cannot be taken in the same turn.",
    "X8": "The cells of one play are crossed from left to right, so it may give the fifth cross and then close.",
    "X9": "Numbers of hand cards are open, their colours are their holder's secret. Played cards are open until they "
    "are shuffled. Nobody knows the pile below its top, nor the top's colour.",
    "X10": "Two equal numbers in one play, a joker and its twin, make one cross.",
    "X11": "The card game may use Mixx sheets: a colour's cells may lie in several rows, and gaps are free.",
    "X12": "A row that only others closed gives no lock. Nobody ever has to cross or to lock.",
    "X13": "Alone one is always active, under the same rules. The rulebooks do not have it; we do.",
}
