      * H holds a record it has changed, and a resource, until somebody
      * writes queue GO; the others ask for what it holds, or end it.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. HOLDER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC.
           05 REC-KEY PIC X(4) VALUE 'A001'.
           05 REC-DATA PIC X(36).
       01  RC PIC S9(8) COMP.
       01  RC-SHOWN PIC 9(4).
       01  TASK-N PIC S9(8) COMP.
       01  TRAN-F PIC X(4).
       01  HELD PIC X(7) VALUE 'COUNTER'.
       01  GO-ON PIC X.
       01  SPINS PIC S9(8) COMP-5.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 WHAT PIC X.
           05 ANSWER PIC X(59).
       PROCEDURE DIVISION.
           MOVE SPACES TO ANSWER
           EVALUATE WHAT
             WHEN 'F' PERFORM FILL-IT
             WHEN 'H' PERFORM HOLD-IT
             WHEN 'U' PERFORM UPDATE-IT
             WHEN 'R' PERFORM READ-IT
             WHEN 'N' PERFORM ENQ-AT-ONCE
             WHEN 'E' PERFORM ENQ-AND-WAIT
             WHEN 'G' PERFORM LET-GO
             WHEN 'I' PERFORM SHOW-IT
             WHEN 'P' PERFORM PURGE-IT
             WHEN 'K' PERFORM FORCE-IT
           END-EVALUATE
           EXEC CICS RETURN END-EXEC.
       FILL-IT.
           MOVE 'OLD' TO REC-DATA
           EXEC CICS WRITE FILE('ACCOUNT') FROM(REC) RIDFLD(REC-KEY)
             RESP(RC) END-EXEC
           PERFORM SHOW-RC.
       HOLD-IT.
           EXEC CICS DELETEQ TS QUEUE('GO') RESP(RC) END-EXEC
           EXEC CICS DELETEQ TS QUEUE('NUMBER') RESP(RC) END-EXEC
           EXEC CICS ENQ RESOURCE(HELD) LENGTH(7) END-EXEC
           EXEC CICS READ FILE('ACCOUNT') INTO(REC) RIDFLD(REC-KEY)
             UPDATE END-EXEC
           MOVE 'NEW' TO REC-DATA
           EXEC CICS REWRITE FILE('ACCOUNT') FROM(REC) END-EXEC
           MOVE EIBTASKN TO TASK-N
           EXEC CICS WRITEQ TS QUEUE('NUMBER') FROM(TASK-N) LENGTH(4)
             END-EXEC
           MOVE 1 TO RC
           PERFORM UNTIL RC = 0
      *      Nearly all of the time no lock of shared memory is held.
             PERFORM VARYING SPINS FROM 1 BY 1 UNTIL SPINS > 500000
               CONTINUE
             END-PERFORM
             EXEC CICS READQ TS QUEUE('GO') INTO(GO-ON) ITEM(1)
               RESP(RC) END-EXEC
           END-PERFORM
           MOVE 'DONE' TO ANSWER.
       UPDATE-IT.
           EXEC CICS READ FILE('ACCOUNT') INTO(REC) RIDFLD(REC-KEY)
             UPDATE END-EXEC
           MOVE REC-DATA TO ANSWER.
       READ-IT.
           EXEC CICS READ FILE('ACCOUNT') INTO(REC) RIDFLD(REC-KEY)
             END-EXEC
           MOVE REC-DATA TO ANSWER.
       ENQ-AT-ONCE.
           EXEC CICS ENQ RESOURCE(HELD) LENGTH(7) NOSUSPEND RESP(RC)
             END-EXEC
           PERFORM SHOW-RC.
       ENQ-AND-WAIT.
           EXEC CICS ENQ RESOURCE(HELD) LENGTH(7) END-EXEC
           MOVE 'MINE' TO ANSWER.
       LET-GO.
           EXEC CICS WRITEQ TS QUEUE('GO') FROM(GO-ON) LENGTH(1)
             END-EXEC.
       SHOW-IT.
           PERFORM FIND-IT
           IF RC = 0
             EXEC CICS INQUIRE TASK(TASK-N) TRANSACTION(TRAN-F)
               RESP(RC) END-EXEC
           END-IF
           IF RC = 0
             MOVE TRAN-F TO ANSWER
           ELSE
             PERFORM SHOW-RC
           END-IF.
       PURGE-IT.
           PERFORM FIND-IT
           EXEC CICS SET TASK(TASK-N) PURGE RESP(RC) END-EXEC
           PERFORM SHOW-RC.
       FORCE-IT.
           PERFORM FIND-IT
           EXEC CICS SET TASK(TASK-N) FORCEPURGE RESP(RC) END-EXEC
           PERFORM SHOW-RC.
       FIND-IT.
           EXEC CICS READQ TS QUEUE('NUMBER') INTO(TASK-N) ITEM(1)
             RESP(RC) END-EXEC.
       SHOW-RC.
           MOVE RC TO RC-SHOWN
           MOVE RC-SHOWN TO ANSWER.
