      * One file call: kind, file, key, and the record.
           05  CALL-KIND         PIC X.
           05  CALL-FILE         PIC X(8).
           05  CALL-RESP         PIC S9(8) COMP.
           05  CALL-RECORD.
               10  CALL-KEY      PIC X(20).
               10  CALL-NUMBER   PIC 9(8).
               10  CALL-TEXT     PIC X(52).
