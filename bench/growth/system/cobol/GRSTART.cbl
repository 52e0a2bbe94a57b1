      * Starts so many tasks that wait.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. GRSTART.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-STARTED            PIC 9(8).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-WANTED         PIC 9(8).
           05  FILLER            PIC X(8).
       PROCEDURE DIVISION.
           PERFORM VARYING WS-STARTED FROM 0 BY 1
               UNTIL WS-STARTED = CA-WANTED
               EXEC CICS START TRANSID('GRWT') END-EXEC
           END-PERFORM.
           EXEC CICS RETURN END-EXEC.
