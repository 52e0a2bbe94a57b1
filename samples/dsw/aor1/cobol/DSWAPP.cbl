       IDENTIFICATION DIVISION.
       PROGRAM-ID. DSWAPP.
      * What is behind a screen: the steps of its transaction, each a
      * file call by a program of its own. The menu calls no file.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  STEP-N            PIC S9(4) COMP.
       01  ROW-N             PIC S9(4) COMP.
       01  SPOT              PIC S9(9) COMP.
       01  WHOLE             PIC S9(9) COMP.
       01  NOW               PIC S9(15) COMP-3.
       01  READ-KEY          PIC 9(20).
       01  ADDED-KEY.
           05  FILLER        PIC X VALUE 'A'.
           05  ADDED-TIME    PIC 9(13).
           05  ADDED-TASK    PIC 9(5).
           05  ADDED-REGION  PIC X.
       01  APPLID            PIC X(8).
       01  CALL-AREA.
           COPY DSWCALL.
           COPY DSWSTEPS.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY DSWAREA.
       PROCEDURE DIVISION.
       MAIN-PARA.
           MOVE 0 TO AREA-CALLS.
           MOVE SPACES TO AREA-RESULT.
           IF AREA-TRAN = 0
               MOVE 'Done: the menu. ENTER goes on.'
                   TO AREA-RESULT
           ELSE
               PERFORM ALL-STEPS
           END-IF.
           EXEC CICS RETURN END-EXEC.

       ALL-STEPS.
           EXEC CICS ASSIGN APPLID(APPLID) END-EXEC.
           EXEC CICS ASKTIME ABSTIME(NOW) END-EXEC.
           MOVE NOW TO ADDED-TIME.
           MOVE EIBTASKN TO ADDED-TASK.
           MOVE APPLID(7:1) TO ADDED-REGION.
           MOVE AREA-TRAN TO ROW-N.
           MOVE 0 TO CALL-RESP.
           PERFORM ONE-STEP VARYING STEP-N FROM 1 BY 1
               UNTIL STEP-N > STEP-COUNT(ROW-N)
               OR CALL-RESP NOT = 0.
           IF CALL-RESP = 0
               STRING 'Done: ' AREA-CALLS ' calls, last number '
                   CALL-NUMBER DELIMITED BY SIZE INTO AREA-RESULT
           ELSE
               STRING 'Failed: ' CALL-FILE ' ' CALL-KIND
                   DELIMITED BY SIZE INTO AREA-RESULT
               EXEC CICS SYNCPOINT ROLLBACK NOHANDLE END-EXEC
           END-IF.

       ONE-STEP.
           MOVE STEP-KIND(ROW-N, STEP-N) TO CALL-KIND.
           MOVE 'DSWF' TO CALL-FILE.
           MOVE STEP-FILE(ROW-N, STEP-N) TO CALL-FILE(5:2).
           EVALUATE CALL-KIND
               WHEN 'A'
                   MOVE ADDED-KEY TO CALL-KEY
                   MOVE AREA-KEY TO CALL-NUMBER
                   MOVE 'ADDED' TO CALL-TEXT
               WHEN 'V'
                   MOVE ADDED-KEY TO CALL-KEY
               WHEN 'W'
                   ADD 1 TO CALL-NUMBER
                       ON SIZE ERROR MOVE 0 TO CALL-NUMBER
                   END-ADD
               WHEN 'D'
                   CONTINUE
               WHEN OTHER
                   COMPUTE SPOT = AREA-KEY + STEP-N * 389
                   DIVIDE SPOT BY 1000 GIVING WHOLE REMAINDER SPOT
                   COMPUTE READ-KEY = SPOT + 1
                   MOVE READ-KEY TO CALL-KEY
           END-EVALUATE.
           EXEC CICS LINK PROGRAM('DSWFILE') COMMAREA(CALL-AREA)
           END-EXEC.
           ADD 1 TO AREA-CALLS.
