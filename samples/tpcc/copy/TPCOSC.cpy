      * Order-Status. Customer by number, or by last name if it is 0.
           05  OS-W-ID           PIC 9(4).
           05  OS-D-ID           PIC 99.
           05  OS-C-ID           PIC 9(4).
           05  OS-LAST           PIC X(16).
      * Y done, N no such customer or no order, D try again.
           05  OS-STATUS         PIC X.
           05  OS-FIRST          PIC X(16).
           05  OS-MIDDLE         PIC XX.
           05  OS-BALANCE        PIC S9(10)V99 SIGN LEADING SEPARATE.
           05  OS-O-ID           PIC 9(8).
           05  OS-ENTRY          PIC X(26).
           05  OS-CARRIER        PIC 99.
           05  OS-COUNT          PIC 99.
           05  OS-LINES          OCCURS 15.
               10  OS-SUPPLY     PIC 9(4).
               10  OS-I-ID       PIC 9(6).
               10  OS-QUANTITY   PIC 99.
               10  OS-AMOUNT     PIC 9(5)V99.
               10  OS-DELIVERED  PIC X(10).
