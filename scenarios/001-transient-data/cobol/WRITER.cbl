      * Writes a record to the queue that is named in the COMMAREA.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. WRITER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  SHOW PIC Z(8)9.
       01  D PIC X(80) VALUE 'RECORD'.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       PROCEDURE DIVISION.
           EXEC CICS WRITEQ TD QUEUE(CA-TEXT (1:4)) FROM(D) LENGTH(6)
                RESP(RC) END-EXEC.
           MOVE RC TO SHOW.
           MOVE SHOW TO CA-TEXT.
           EXEC CICS RETURN END-EXEC.
