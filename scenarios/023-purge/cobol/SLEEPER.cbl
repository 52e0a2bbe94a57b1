       IDENTIFICATION DIVISION.
       PROGRAM-ID. SLEEPER.
      * Tells its task number in a queue and sleeps.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  D.
           05 TASK-NO PIC 9(8).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE EIBTASKN TO TASK-NO.
           EXEC CICS WRITEQ TS QUEUE('SLEEPS') FROM(D) LENGTH(8)
                END-EXEC.
           EXEC CICS DELAY FOR SECONDS(600) END-EXEC.
           EXEC CICS RETURN END-EXEC.
