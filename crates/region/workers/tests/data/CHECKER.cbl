       IDENTIFICATION DIVISION.
       PROGRAM-ID. CHECKER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 WS-N PIC S9(8) COMP VALUE 0.
       01 WS-I PIC S9(8) COMP VALUE 0.
       01 WS-P PIC S9(7) COMP-3 VALUE 0.
       01 WS-PX REDEFINES WS-P PIC X(4).
       01 WS-Z PIC S9(7) COMP-3 VALUE 0.
       01 WS-D PIC 9(4) VALUE 0.
       01 WS-S PIC S9(4) VALUE 0.
       01 WS-SX REDEFINES WS-S PIC X(4).
       01 WS-T.
          05 WS-E PIC X OCCURS 10.
       01 WS-PTR USAGE POINTER.
       01 WS-PN REDEFINES WS-PTR PIC S9(18) COMP-5.
       01 WS-LEN PIC S9(8) COMP VALUE 100.
       01 WS-SUM PIC S9(8) COMP VALUE 0.
       01 WS-CODE PIC X(4) VALUE 'MYAB'.
       {{STORAGE}}
       LINKAGE SECTION.
       01 DFHEIBLK PIC X(85).
       01 DFHCOMMAREA.
          05 CA-FN PIC X.
          05 FILLER PIC X.
       01 LK-X PIC X(100).
       PROCEDURE DIVISION USING DFHEIBLK DFHCOMMAREA.
           CALL 'TXMENTRY' USING TXM-NAME RETURNING TXM-BRANCH.
           EVALUATE CA-FN
           WHEN 'N' CONTINUE
           WHEN 'A'
               {{ABEND ABCODE=WS-CODE}}
           WHEN 'S' PERFORM SEGV
           WHEN 'Z' COMPUTE WS-P = 5 / WS-Z
           WHEN 'Y' DIVIDE WS-Z INTO WS-N
           WHEN 'V' COMPUTE WS-P = 5 / WS-Z
                   ON SIZE ERROR MOVE 1 TO WS-P END-COMPUTE
           WHEN 'B' MOVE 99 TO WS-I MOVE 'X' TO WS-E(WS-I)
           WHEN 'D' MOVE X'41414141' TO WS-PX ADD 1 TO WS-P
           WHEN 'E' MOVE SPACES TO WS-SX ADD 1 TO WS-S
           WHEN 'M' CALL 'NOSUCH' USING DFHCOMMAREA
           WHEN 'O' CALL 'NOSUCH' USING DFHCOMMAREA
                   ON EXCEPTION MOVE 1 TO WS-I END-CALL
           WHEN 'T' STOP RUN
           WHEN 'K' PERFORM DEEP
           WHEN 'L' PERFORM UNTIL WS-N < 0 ADD 0 TO WS-I END-PERFORM
           WHEN 'I' PERFORM UNTIL WS-N < 0
               CALL 'NOSUCH' ON EXCEPTION ADD 0 TO WS-I END-CALL
               END-PERFORM
           WHEN 'W' MOVE LOW-VALUES TO TXM-D2
               {{ABEND ABCODE=WS-CODE}}
           WHEN 'P'
               MOVE 64 TO WS-PN
               {{PEEK ADDRESS=WS-PTR LENGTH=WS-LEN INTO=WS-SUM}}
           WHEN 'Q'
               MOVE 1000000 TO WS-PN
               {{POKE ADDRESS=WS-PTR}}
           WHEN 'R'
               SET WS-PTR TO NULL
               SET ADDRESS OF LK-X TO WS-PTR
               {{NOTE FROM=LK-X}}
           WHEN 'X'
               {{PANIC}}
           WHEN 'G' DISPLAY 'HELLO FROM ' CA-FN ' ' WS-D
           END-EVALUATE.
           MOVE 'n' TO CA-FN.
           GOBACK.
       SEGV.
           SET WS-PTR TO NULL.
           SET ADDRESS OF LK-X TO WS-PTR.
           MOVE 'A' TO LK-X(5:1).
       DEEP.
           ADD 1 TO WS-N.
           PERFORM DEEP.
