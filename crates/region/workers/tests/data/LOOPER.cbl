       IDENTIFICATION DIVISION.
       PROGRAM-ID. LOOPER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 WS-PGM PIC X(8) VALUE 'EMPTY'.
       01 WS-N PIC S9(8) COMP VALUE 0.
       {{STORAGE}}
       LINKAGE SECTION.
       01 DFHEIBLK PIC X(85).
       01 DFHCOMMAREA.
          05 CA-FN PIC X.
          05 CA-TIMES PIC 9(9).
       PROCEDURE DIVISION USING DFHEIBLK DFHCOMMAREA.
           CALL 'TXMENTRY' USING TXM-NAME RETURNING TXM-BRANCH.
           EVALUATE CA-FN
           WHEN 'L'
               PERFORM CA-TIMES TIMES
                   {{LINK PROGRAM=WS-PGM COMMAREA=DFHCOMMAREA}}
               END-PERFORM
           WHEN 'N'
               PERFORM CA-TIMES TIMES
                   {{NOP}}
               END-PERFORM
           WHEN 'I'
               PERFORM CA-TIMES TIMES
                   {{INCR INTO=WS-N}}
               END-PERFORM
           END-EVALUATE.
           GOBACK.
