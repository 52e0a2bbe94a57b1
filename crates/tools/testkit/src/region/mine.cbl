      * Keeps what it is sent in a queue of the sender's own, and looks
      * whether that is what comes back. Draws a number that nobody
      * else may get.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. MINE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  GOT PIC X(2000).
       01  GOT-LEN PIC S9(4) COMP.
       01  R PIC S9(8) COMP.
       01  N PIC S9(4) COMP.
       01  P USAGE POINTER.
       01  V PIC S9(8) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 ANS PIC X(2).
           05 QNAME PIC X(8).
           05 MY-DATA PIC X(2000).
           05 MY-NUMBER PIC 9(8).
       PROCEDURE DIVISION.
           EXEC CICS DELETEQ TS QUEUE(QNAME) RESP(R) END-EXEC.
           PERFORM VARYING N FROM 1 BY 1 UNTIL N > 3
             EXEC CICS WRITEQ TS QUEUE(QNAME) FROM(MY-DATA)
                  LENGTH(2000) RESP(R) END-EXEC
             IF R NOT = DFHRESP(NORMAL)
               MOVE 'ER' TO ANS
               EXEC CICS RETURN END-EXEC
             END-IF
           END-PERFORM.
           EXEC CICS GETMAIN SET(P) FLENGTH(400) SHARED
                RESP(R) END-EXEC.
           IF R = DFHRESP(NORMAL)
             EXEC CICS FREEMAIN DATAPOINTER(P) RESP(R) END-EXEC
           END-IF.
           IF R NOT = DFHRESP(NORMAL)
             MOVE 'ER' TO ANS
             EXEC CICS RETURN END-EXEC
           END-IF.
           EXEC CICS SUSPEND END-EXEC.
           PERFORM VARYING N FROM 1 BY 1 UNTIL N > 3
             MOVE 2000 TO GOT-LEN
             MOVE SPACES TO GOT
             EXEC CICS READQ TS QUEUE(QNAME) INTO(GOT)
                  LENGTH(GOT-LEN) ITEM(N) RESP(R) END-EXEC
             IF R NOT = DFHRESP(NORMAL)
               MOVE 'ER' TO ANS
               EXEC CICS RETURN END-EXEC
             END-IF
             IF GOT NOT = MY-DATA
      * Of an earlier request of its own: no harm, but no success.
               IF GOT (1:1950) = GOT (31:1950)
                  AND GOT (1:9) = MY-DATA (1:9)
                 MOVE 'OL' TO ANS
               ELSE
                 MOVE 'NO' TO ANS
               END-IF
               EXEC CICS RETURN END-EXEC
             END-IF
           END-PERFORM.
           EXEC CICS GET COUNTER('TORTURE') VALUE(V) RESP(R)
           END-EXEC.
           IF R = DFHRESP(INVREQ)
             EXEC CICS DEFINE COUNTER('TORTURE') VALUE(1) RESP(R)
             END-EXEC
             EXEC CICS GET COUNTER('TORTURE') VALUE(V) RESP(R)
             END-EXEC
           END-IF.
           IF R NOT = DFHRESP(NORMAL)
             MOVE 'ER' TO ANS
             EXEC CICS RETURN END-EXEC
           END-IF.
           MOVE V TO MY-NUMBER.
           MOVE 'OK' TO ANS.
           EXEC CICS RETURN END-EXEC.
