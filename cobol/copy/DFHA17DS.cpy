      * DFHA17DS: statistics, file.
       01  DFHA17DS.
      * Length of the record
           03 A17LEN    PIC S9(4) COMP.
      * File
           03 A17FNAM   PIC X(8).
      * Data set
           03 A17DSNAM  PIC X(44).
      * READ
           03 A17DSRD   PIC S9(8) COMP.
      * READ UPDATE
           03 A17DSGU   PIC S9(8) COMP.
      * READNEXT and READPREV
           03 A17DSBR   PIC S9(8) COMP.
      * WRITE
           03 A17DSWRA  PIC S9(8) COMP.
      * REWRITE
           03 A17DSWRU  PIC S9(8) COMP.
      * DELETE
           03 A17DSDEL  PIC S9(8) COMP.
