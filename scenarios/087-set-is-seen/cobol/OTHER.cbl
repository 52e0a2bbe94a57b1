      * Is there, and nobody runs it.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. OTHER.
       PROCEDURE DIVISION.
           EXEC CICS RETURN END-EXEC.
