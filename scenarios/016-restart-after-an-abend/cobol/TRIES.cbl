      * Ends twice as file control ends a task in a deadlock, then says
      * how often it was begun. What it wrote to TRYS is not recoverable.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. TRIES.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  N PIC S9(4) COMP.
       01  X PIC X VALUE 'X'.
       01  AGAIN PIC X.
       01  TYPED PIC X(20).
       01  L PIC S9(4) COMP VALUE 20.
       01  OUT-LINE.
           05 WHO PIC X(5).
           05 TRY PIC 9.
           05 FILLER PIC X VALUE SPACE.
           05 HOW PIC X(9).
           05 SAID PIC X(20).
       PROCEDURE DIVISION.
           EXEC CICS WRITEQ TS QUEUE('TRYS') FROM(X) ITEM(N) END-EXEC.
           IF N < 3 EXEC CICS ABEND ABCODE('AFCF') END-EXEC.
           EXEC CICS DELETEQ TS QUEUE('TRYS') END-EXEC.
           EXEC CICS ASSIGN RESTART(AGAIN) END-EXEC.
           MOVE EIBTRNID TO WHO.
           MOVE N TO TRY.
           MOVE 'FIRST' TO HOW.
           IF AGAIN = HIGH-VALUE MOVE 'RESTART' TO HOW.
           MOVE SPACES TO SAID.
           IF EIBTRMID = SPACES OR LOW-VALUES
              EXEC CICS WRITEQ TS QUEUE('SEEN') FROM(OUT-LINE) END-EXEC
           ELSE
              EXEC CICS RECEIVE INTO(TYPED) LENGTH(L) END-EXEC
              MOVE TYPED(1:L) TO SAID
              EXEC CICS SEND TEXT FROM(OUT-LINE) ERASE FREEKB END-EXEC
           END-IF.
           EXEC CICS RETURN END-EXEC.
