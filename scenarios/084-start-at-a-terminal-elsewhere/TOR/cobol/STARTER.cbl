       IDENTIFICATION DIVISION.
       PROGRAM-ID. STARTER.
      * START at a terminal, here or by the system that has it.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP.
       01  WS-RC PIC 9(3).
       01  WS-RC2 PIC 9(3).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-SYSID PIC X(4).
           05 CA-TERMID PIC X(4).
           05 CA-DATA PIC X(12).
           05 FILLER PIC X(40).
       PROCEDURE DIVISION.
           IF CA-SYSID = SPACES
               EXEC CICS START TRANSID('RETR') TERMID(CA-TERMID)
                   FROM(CA-DATA) LENGTH(12) RESP(RC) END-EXEC
           ELSE
               EXEC CICS START TRANSID('RETR') TERMID(CA-TERMID)
                   SYSID(CA-SYSID)
                   FROM(CA-DATA) LENGTH(12) RESP(RC) END-EXEC
           END-IF.
           MOVE RC TO WS-RC.
           MOVE EIBRESP2 TO WS-RC2.
           MOVE SPACES TO DFHCOMMAREA.
           STRING WS-RC ' ' WS-RC2 DELIMITED BY SIZE
               INTO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
