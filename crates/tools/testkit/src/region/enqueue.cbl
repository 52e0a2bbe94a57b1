      * Takes a resource for itself, says so in a queue, lets others
      * run and looks whether it is still alone.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. ENQUEUE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  MINE  PIC 9(7).
       01  GOT   PIC 9(7).
       01  LEN   PIC S9(4) COMP VALUE 7.
       01  ONE   PIC S9(4) COMP VALUE 1.
       01  N     PIC S9(4) COMP.
       01  R     PIC S9(8) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 ANS    PIC X(2).
           05 HOW    PIC X.
           05 RES    PIC X(8).
       PROCEDURE DIVISION.
           MOVE EIBTASKN TO MINE.
           EXEC CICS ENQ RESOURCE(RES) LENGTH(8) RESP(R) END-EXEC.
           IF R NOT = DFHRESP(NORMAL)
             MOVE 'ER' TO ANS
             EXEC CICS RETURN END-EXEC
           END-IF.
           EXEC CICS WRITEQ TS QUEUE(RES) FROM(MINE) LENGTH(LEN)
                ITEM(ONE) REWRITE RESP(R) END-EXEC.
           IF R NOT = DFHRESP(NORMAL)
             EXEC CICS WRITEQ TS QUEUE(RES) FROM(MINE)
                  LENGTH(LEN) END-EXEC
           END-IF.
           PERFORM VARYING N FROM 1 BY 1 UNTIL N > 4
             EXEC CICS SUSPEND END-EXEC
             EXEC CICS READQ TS QUEUE(RES) INTO(GOT) LENGTH(LEN)
                  ITEM(1) END-EXEC
             IF GOT NOT = MINE
               MOVE 'NO' TO ANS
               EXEC CICS RETURN END-EXEC
             END-IF
           END-PERFORM.
           MOVE 'OK' TO ANS.
           EVALUATE HOW
             WHEN 'D'
               EXEC CICS DEQ RESOURCE(RES) LENGTH(8) END-EXEC
             WHEN 'S'
               EXEC CICS SYNCPOINT END-EXEC
             WHEN 'A'
               EXEC CICS ABEND ABCODE('HELD') NODUMP END-EXEC
             WHEN OTHER
               CONTINUE
           END-EVALUATE.
           EXEC CICS RETURN END-EXEC.
