      * Lines of a copybook do not count among those of the program.
       01  AMOUNT   PIC S9(5) COMP-3.
       01  AMOUNT-X REDEFINES AMOUNT PIC X(3).
