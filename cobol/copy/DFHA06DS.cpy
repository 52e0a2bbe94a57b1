      * DFHA06DS: statistics, terminal.
       01  DFHA06DS.
      * Length of the record
           03 A06LEN    PIC S9(4) COMP.
      * Terminal
           03 A06TETI   PIC X(4).
      * LU
           03 A06LUNAM  PIC X(8).
      * Records that came
           03 A06LENI   PIC S9(8) COMP.
      * Records sent
           03 A06LENO   PIC S9(8) COMP.
      * Transactions
           03 A06TEOT   PIC S9(8) COMP.
