      * Nothing but the end of the task.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. EMPTY.
       PROCEDURE DIVISION.
           EXEC CICS RETURN END-EXEC.
