      *> every clause of a data description once
       01  EVERYTHING EXTERNAL GLOBAL.
           03  A-TEXT             PIC X(10) JUSTIFIED RIGHT.
           03  A-LETTERS          PIC A(5).
           03  A-BLANK            PIC 9(5) BLANK WHEN ZERO.
           03  A-SIGNS SIGN IS LEADING SEPARATE CHARACTER.
               05  S-1            PIC S9(5).
               05  S-2            PIC S9(3)V99 SIGN TRAILING.
               05  S-3            PIC 9(3).
           03  A-PACKED USAGE IS COMP-3.
               05  P-1            PIC S9(5)V99.
               05  P-2            PIC 9(4).
           03  A-BINARY.
               05  FILLER         PIC X.
               05  B-1            PIC S9(4) COMP SYNC.
               05  B-2            PIC S9(9) COMP-4 SYNCHRONIZED LEFT.
               05  B-3            PIC S9(18) BINARY.
               05  B-4            PIC 9(9) USAGE COMP-5.
               05  B-5            PIC 9(7) COMP-6.
               05  B-6            USAGE BINARY-LONG UNSIGNED.
           03  A-FLOAT-1          COMP-1.
           03  A-FLOAT-2          COMPUTATIONAL-2.
           03  A-EDITED           PIC ZZ,ZZZ,ZZ9.99CR.
           03  A-MONEY            PIC $$,$$9.99-.
           03  A-DATE             PIC 99/99/9999.
           03  A-CODE             PIC XXBXX/X0.
           03  A-NATIONAL         PIC N(5).
           03  A-GRAPHIC          PIC G(4) USAGE DISPLAY-1.
           03  A-POINTER          USAGE POINTER.
           03  A-INDEX            INDEX.
           03  A-PROC             PROCEDURE-POINTER.
           03  A-SCALED           PIC 9(3)PPP.
           03  A-TINY             PIC SVPP9(4) COMP-3.
           03  A-TABLE OCCURS 3 TIMES INDEXED BY IX-1, IX-2.
               05  A-CELL         PIC X(2) OCCURS 4.
           03  A-HEX              PIC X(4) VALUE X'00FF10AB'.
           03  A-ALL              PIC X(8) VALUE ALL '*'.
           03  A-JOINED           PIC X(8) VALUE 'AB' & 'CD'.
           03  A-LOW              PIC X VALUE LOW-VALUE.
           03  A-NUM              PIC S9(3)V9 VALUE -12.5.
           03                     PIC X(2).
       77  ALONE                  PIC 9(4) VALUE ZERO.
