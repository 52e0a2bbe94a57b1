      * Nothing but the end of the program.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. NOTHING.
       PROCEDURE DIVISION.
           EXEC CICS RETURN END-EXEC.
