* What decks define can be replaced and taken off, but comes back.
DEFINE TRANSACTION(DECK) GROUP(DECKS) PROGRAM(MAKER)
