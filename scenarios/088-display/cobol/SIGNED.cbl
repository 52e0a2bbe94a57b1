      *> The six signs that packed items may have: A, C, E and F are plus, B and D minus.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. SIGNED.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 SIX-SIGNS PIC X(12) VALUE X'123A123B123C123D123E123F'.
       01 ITEMS REDEFINES SIX-SIGNS.
          05 ITEM PIC S9(3) COMP-3 OCCURS 6.
       01 I PIC 9.
       01 SUM-OF PIC S9(5).
       01 MOVED PIC -(5)9.
       01 ORDERED PIC X(4).
       PROCEDURE DIVISION.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 6
             MOVE ITEM(I) TO MOVED
             COMPUTE SUM-OF = ITEM(I) + 1
             MOVE 'PLUS' TO ORDERED
             IF ITEM(I) < 0
               MOVE 'LESS' TO ORDERED
             END-IF
             DISPLAY ITEM(I) ' ' MOVED ' ' SUM-OF ' ' ORDERED ' '
               WITH NO ADVANCING
             IF ITEM(I) NUMERIC
               DISPLAY 'NUMERIC'
             ELSE
               DISPLAY 'NOT NUMERIC'
             END-IF
           END-PERFORM
           ADD 1 TO ITEM(2)
           DISPLAY ITEM(2)
           GOBACK.
