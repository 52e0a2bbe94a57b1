           05 SUM-OF-BOTH    PIC S9(7)V99 COMP-3.
           05 REMARK         PIC X(20).
