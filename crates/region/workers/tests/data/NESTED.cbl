       IDENTIFICATION DIVISION.
       PROGRAM-ID. NESTED.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 WS-SUB PIC X(8) VALUE 'COUNTER'.
       01 WS-SELF PIC X(8) VALUE 'NESTED'.
       01 WS-C PIC 9(4) VALUE 0.
       {{STORAGE}}
       LINKAGE SECTION.
       01 DFHEIBLK PIC X(85).
       01 DFHCOMMAREA.
          05 CA-FN PIC X.
          05 CA-T PIC X(4).
          05 CA-1 PIC 9(4).
          05 CA-2 PIC 9(4).
       PROCEDURE DIVISION USING DFHEIBLK DFHCOMMAREA.
           CALL 'TXMENTRY' USING TXM-NAME RETURNING TXM-BRANCH.
           IF CA-FN = 'R'
               CALL 'NESTSUB' USING DFHEIBLK DFHCOMMAREA
               MOVE 'BAD' TO CA-T
               GOBACK
           END-IF.
           CALL 'COUNTER' USING CA-1.
           CALL WS-SUB USING CA-1.
           CALL 'COUNTER' USING CA-1.
           IF CA-FN = 'X'
               CANCEL 'COUNTER'
               CALL 'COUNTER' USING CA-2
               GOBACK
           END-IF.
           IF CA-FN = 'C'
               MOVE 'D' TO CA-FN
               MOVE CA-1 TO CA-2
               {{LINK PROGRAM=WS-SELF COMMAREA=DFHCOMMAREA}}
               CALL 'COUNTER' USING CA-2
           END-IF.
           GOBACK.
