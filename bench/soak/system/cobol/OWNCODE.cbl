      * Abends with a code of its own.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. OWNCODE.
       PROCEDURE DIVISION.
           EXEC CICS ABEND ABCODE('MINE') NODUMP END-EXEC.
