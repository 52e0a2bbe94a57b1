      *> INITIALIZE, DIVIDE with REMAINDER, SEARCH, size errors.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. INITS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 G.
          05 A PIC X(3) VALUE 'AAA'.
          05 FILLER PIC X(3) VALUE 'FIL'.
          05 N PIC S9(3)V99 COMP-3 VALUE 5.
          05 E PIC ZZ9.99 VALUE '  1.00'.
          05 AE PIC XX/XX VALUE 'AA/BB'.
          05 T OCCURS 3.
             10 TN PIC 9(2) VALUE 7.
             10 TX PIC X VALUE 'T'.
          05 R PIC X(4) VALUE 'RRRR'.
          05 RR REDEFINES R PIC 9(4).
          05 P POINTER.
          05 IX INDEX.
          05 J PIC X(4) JUST RIGHT VALUE 'J'.
          05 B PIC S9(4) COMP VALUE 9.
       01 Q PIC 9(3) VALUE 0.
       01 L PIC 9(4) COMP.
       01 W1 PIC S9(4) COMP VALUE 5.
       01 I PIC 9.
       01 TAB.
          05 KEYED OCCURS 9 ASCENDING KEY K INDEXED BY X.
             10 K PIC 99.
             10 D PIC X.
       01 F PIC S9(3) VALUE 7.
       01 RM PIC S9(3).
       01 QT PIC S9(3)V9.
       PROCEDURE DIVISION.
           INITIALIZE G
           DISPLAY A '|' G(4:3) '|' N '|' E '|' AE '|' TN(2) TX(3) '|'
             R '|' J '|' B
           MOVE 'AAA' TO A MOVE 5 TO N
           INITIALIZE G REPLACING NUMERIC DATA BY 3
             ALPHANUMERIC DATA BY 'XY'
             NUMERIC-EDITED BY 7
           DISPLAY A '|' G(4:3) '|' N '|' E '|' AE '|' TN(2) TX(3) '|'
             R '|' J '|' B
           DIVIDE 7 INTO 50 GIVING Q REMAINDER RM
           DISPLAY Q RM
           DIVIDE 50 BY 7 GIVING QT ROUNDED REMAINDER RM
           DISPLAY QT RM
           DIVIDE -50 BY 7 GIVING QT REMAINDER RM
           DISPLAY QT RM
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 8
             COMPUTE K(I) = I * 2
             MOVE 'D' TO D(I)
           END-PERFORM
           MOVE 99 TO K(9)
           SEARCH ALL KEYED AT END DISPLAY 'END'
             WHEN K(X) = 8 SET Q TO X DISPLAY Q END-SEARCH
           SEARCH ALL KEYED AT END DISPLAY 'END'
             WHEN K(X) = 9 SET Q TO X DISPLAY Q END-SEARCH
           SET X TO 5
           SEARCH KEYED AT END DISPLAY 'END'
             WHEN K(X) < 10 DISPLAY 'LT'
             WHEN K(X) > 11 SET Q TO X DISPLAY Q END-SEARCH
           MOVE 999 TO Q
           ADD 1 TO Q DISPLAY Q
           MOVE 999 TO Q
           ADD 1 TO Q ON SIZE ERROR DISPLAY 'SE' Q END-ADD
           MOVE 9999 TO W1
           ADD 1 TO W1 DISPLAY W1
           MOVE -5 TO F
           ADD F TO Q DISPLAY Q
           SUBTRACT 995 FROM Q DISPLAY Q
           COMPUTE Q = 1000 / 3 * 3 DISPLAY Q
           COMPUTE QT = 2 / 3 DISPLAY QT
           COMPUTE QT ROUNDED = 2 / 3 DISPLAY QT
           COMPUTE QT ROUNDED = -0.05 DISPLAY QT
           COMPUTE QT ROUNDED = -0.04 DISPLAY QT
           GOBACK.
