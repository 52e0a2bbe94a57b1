       01  KEY-RECORD.
           05  KEY-1.
               10  KEY-BRANCH   PIC X.
               10  KEY-COUNT    PIC S9(4) COMP-5.
           05  KEY-RATE         COMP-2.
           05  KEY-PLACE        USAGE INDEX OCCURS 2.
           05  KEY-REST         PIC X(5).
