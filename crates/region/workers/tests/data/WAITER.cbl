       IDENTIFICATION DIVISION.
       PROGRAM-ID. WAITER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 WS-NOTE PIC X(40) VALUE SPACES.
       01 WS-HOW PIC S9(4) COMP VALUE 9.
       01 WS-N PIC S9(8) COMP VALUE 0.
       01 WS-M PIC S9(8) COMP VALUE 0.
       01 WS-I PIC S9(8) COMP VALUE 0.
       {{STORAGE}}
       LINKAGE SECTION.
       01 DFHEIBLK PIC X(85).
       01 DFHCOMMAREA.
          05 CA-FN PIC X.
          05 CA-MS PIC 9(6).
          05 CA-R PIC 9(6).
       PROCEDURE DIVISION USING DFHEIBLK DFHCOMMAREA.
           CALL 'TXMENTRY' USING TXM-NAME RETURNING TXM-BRANCH.
           EVALUATE CA-FN
           WHEN 'W'
               {{WAIT MS=CA-MS INTO=WS-HOW}}
               MOVE WS-HOW TO CA-R
           WHEN 'P'
               {{POST TASK=CA-MS}}
           WHEN 'A'
               MOVE 'question' TO WS-NOTE
               {{ASK FROM=WS-NOTE INTO=WS-NOTE}}
               {{NOTE FROM=WS-NOTE}}
           WHEN 'Q'
               {{INCR INTO=WS-N}}
               PERFORM CA-MS TIMES
                   ADD 1 TO WS-I
               END-PERFORM
               {{INCR INTO=WS-M}}
               SUBTRACT WS-N FROM WS-M GIVING CA-R
           WHEN 'Y'
               PERFORM 20 TIMES
                   {{INCR INTO=WS-N}}
                   {{INCR INTO=WS-M}}
                   SUBTRACT WS-N FROM WS-M GIVING WS-I
                   IF WS-I NOT = 1 MOVE 'F' TO CA-FN END-IF
                   {{YIELD}}
               END-PERFORM
           END-EVALUATE.
           GOBACK.
