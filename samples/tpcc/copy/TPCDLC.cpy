      * Delivery: it is asked for, and carried out later.
           05  DL-W-ID           PIC 9(4).
           05  DL-CARRIER        PIC 99.
           05  DL-STATUS         PIC X.
           05  DL-QUEUED         PIC X(26).
