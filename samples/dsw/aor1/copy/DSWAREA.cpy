      * What a screen's program asks, and what it is answered.
           05  AREA-TRAN         PIC 99.
           05  AREA-KEY          PIC 9(4).
           05  AREA-CALLS        PIC 99.
           05  AREA-RESULT       PIC X(60).
