      *> Groups of varying length as senders.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. ODOS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 G.
          05 N PIC 9 VALUE 3.
          05 T PIC X(2) OCCURS 1 TO 5 DEPENDING ON N.
       01 BIG.
          05 BN PIC 9 VALUE 2.
          05 GRP.
             10 BT PIC X OCCURS 1 TO 5 DEPENDING ON BN.
          05 TAIL PIC X(3).
       01 X20 PIC X(20).
       01 L PIC 9(4).
       01 P PIC 99.
       PROCEDURE DIVISION.
           MOVE 'AA' TO T(1) MOVE 'BB' TO T(2) MOVE 'CC' TO T(3)
           MOVE ALL '*' TO X20
           MOVE G TO X20 DISPLAY X20 '|'
           MOVE 2 TO N
           DISPLAY G '|'
           MOVE ALL '*' TO X20
           MOVE 1 TO P
           STRING G DELIMITED BY SIZE INTO X20 POINTER P
           DISPLAY X20 P
           MOVE LENGTH OF G TO L DISPLAY L
           COMPUTE L = FUNCTION LENGTH(G) DISPLAY L
           IF G = '2AABB' DISPLAY 'EQ' END-IF
           MOVE 'X' TO BT(1) MOVE 'Y' TO BT(2) MOVE 'END' TO TAIL
           DISPLAY BIG '|'
           MOVE BIG TO X20 DISPLAY X20 '|'
           MOVE GRP TO X20 DISPLAY X20 '|'
           MOVE 4 TO BN
           MOVE 'Z' TO BT(3) MOVE 'W' TO BT(4) MOVE 'END' TO TAIL
           DISPLAY BIG '|'
           MOVE 0 TO P
           INSPECT G TALLYING P FOR ALL 'B'
           DISPLAY P
           MOVE 1 TO N
           MOVE 0 TO P
           INSPECT G TALLYING P FOR ALL 'B'
           DISPLAY P
           INSPECT G REPLACING ALL 'A' BY 'Q'
           DISPLAY G
           MOVE 3 TO N
           DISPLAY FUNCTION REVERSE(G) '|'
           UNSTRING G DELIMITED BY 'B' INTO X20 L
           DISPLAY X20 '|'
           GOBACK.
