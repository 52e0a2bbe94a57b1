      * New-Order: what is asked and what is answered.
           05  NO-W-ID           PIC 9(4).
           05  NO-D-ID           PIC 99.
           05  NO-C-ID           PIC 9(4).
           05  NO-COUNT          PIC 99.
           05  NO-ASKED          OCCURS 15.
               10  NO-I-ID       PIC 9(6).
               10  NO-SUPPLY     PIC 9(4).
               10  NO-QUANTITY   PIC 99.
      * Y done, N item number is not valid, D try again (deadlock).
           05  NO-STATUS         PIC X.
           05  NO-O-ID           PIC 9(8).
           05  NO-LAST           PIC X(16).
           05  NO-CREDIT         PIC XX.
           05  NO-DISCOUNT       PIC 9V9999.
           05  NO-W-TAX          PIC 9V9999.
           05  NO-D-TAX          PIC 9V9999.
           05  NO-ENTRY          PIC X(26).
           05  NO-TOTAL          PIC 9(9)V99.
           05  NO-ANSWERED       OCCURS 15.
               10  NO-NAME       PIC X(24).
               10  NO-STOCK      PIC 999.
               10  NO-BRAND      PIC X.
               10  NO-PRICE      PIC 9(3)V99.
               10  NO-AMOUNT     PIC 9(5)V99.
