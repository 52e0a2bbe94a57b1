      * Communication area of the transaction restart program DFHREST.
           02  XMRS-FUNCTION             PIC X.
               88  XMRS-TRANSACTION-RESTART     VALUE '1'.
           02  XMRS-COMPONENT-CODE       PIC X(2).
               88  XMRS-TRANSACTION-MANAGER     VALUE 'XM'.
           02  FILLER                    PIC X.
           02  XMRS-READ                 PIC X.
               88  XMRS-READ-YES                VALUE 'Y'.
               88  XMRS-READ-NO                 VALUE 'N'.
           02  XMRS-WRITE                PIC X.
               88  XMRS-WRITE-YES               VALUE 'Y'.
               88  XMRS-WRITE-NO                VALUE 'N'.
           02  XMRS-SYNCPOINT            PIC X.
               88  XMRS-SYNCPOINT-YES           VALUE 'Y'.
               88  XMRS-SYNCPOINT-NO            VALUE 'N'.
           02  XMRS-RESTART              PIC X.
               88  XMRS-RESTART-YES             VALUE 'Y'.
               88  XMRS-RESTART-NO              VALUE 'N'.
           02  XMRS-RESTART-COUNT        PIC 9(4) COMP.
           02  FILLER                    PIC X(2).
           02  XMRS-ORIGINAL-ABEND-CODE  PIC X(4).
           02  XMRS-CURRENT-ABEND-CODE   PIC X(4).
