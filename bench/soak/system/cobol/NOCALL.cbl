      * CALL of a program that is not there.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. NOCALL.
       PROCEDURE DIVISION.
           CALL 'NOWHERE'.
           EXEC CICS RETURN END-EXEC.
