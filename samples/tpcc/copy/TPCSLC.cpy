      * Stock-Level: items of the last 20 orders below a threshold.
           05  SL-W-ID           PIC 9(4).
           05  SL-D-ID           PIC 99.
           05  SL-THRESHOLD      PIC 99.
           05  SL-STATUS         PIC X.
           05  SL-LOW            PIC 9(6).
