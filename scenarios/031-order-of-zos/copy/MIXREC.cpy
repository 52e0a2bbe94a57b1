       01  MIX-RECORD.
           05  MIX-KEY.
               10  MIX-BRANCH     PIC X.
               10  MIX-NUMBER     PIC S9(3) COMP.
           05  MIX-REST           PIC X(7).
