      * What an operator does without the QR token.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. OPER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP.
       01  RC-SHOWN PIC 9(4).
       01  TASK-N PIC S9(8) COMP.
       01  RUN-STATUS PIC S9(8) COMP.
       01  GO-ON PIC X.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 WHAT PIC X.
           05 ANSWER PIC X(59).
       PROCEDURE DIVISION.
           MOVE SPACES TO ANSWER
           EXEC CICS READQ TS QUEUE('NUMBER') INTO(TASK-N) ITEM(1)
             RESP(RC) END-EXEC
           EVALUATE WHAT
             WHEN 'I' PERFORM SHOW-IT
             WHEN 'K' EXEC CICS SET TASK(TASK-N) FORCEPURGE RESP(RC)
                        END-EXEC
             WHEN 'G' EXEC CICS WRITEQ TS QUEUE('GO') FROM(GO-ON)
                        LENGTH(1) RESP(RC) END-EXEC
             WHEN 'E' EXEC CICS ENQ RESOURCE('COUNTER') LENGTH(7)
                        RESP(RC) END-EXEC
           END-EVALUATE
           IF ANSWER = SPACES
             MOVE RC TO RC-SHOWN
             MOVE RC-SHOWN TO ANSWER
           END-IF
           EXEC CICS RETURN END-EXEC.
       SHOW-IT.
           IF RC = 0
             EXEC CICS INQUIRE TASK(TASK-N) RUNSTATUS(RUN-STATUS)
               RESP(RC) END-EXEC
           END-IF
           IF RC = 0
             IF RUN-STATUS = DFHVALUE(RUNNING)
               MOVE 'RUNNING' TO ANSWER
             ELSE
               MOVE 'WAITING' TO ANSWER
             END-IF
           END-IF.
