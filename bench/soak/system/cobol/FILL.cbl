      * A thousand records that nothing was counted in.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. FILL.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC.
           05 REC-KEY PIC 9(8).
           05 FILLER PIC 9(8) VALUE 0.
           05 FILLER PIC X(184) VALUE SPACES.
       01  RC PIC S9(8) COMP.
       PROCEDURE DIVISION.
           PERFORM VARYING REC-KEY FROM 0 BY 1 UNTIL REC-KEY = 1000
             EXEC CICS WRITE FILE('BENCH') FROM(REC) RIDFLD(REC-KEY)
               RESP(RC) END-EXEC
           END-PERFORM
           EXEC CICS RETURN END-EXEC.
