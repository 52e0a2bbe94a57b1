      * Adds up the counts of all records from one key to another.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. TOTAL.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC.
           05 FILLER PIC X(8).
           05 COUNTED PIC 9(8).
           05 FILLER PIC X(184).
       01  KEY-F PIC X(8).
       01  RC PIC S9(8) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 FIRST-KEY PIC X(8).
           05 LAST-KEY PIC X(8).
           05 SUM-F PIC 9(12).
       PROCEDURE DIVISION.
           MOVE 0 TO SUM-F
           MOVE FIRST-KEY TO KEY-F
           EXEC CICS STARTBR FILE('BENCH') RIDFLD(KEY-F) END-EXEC
           EXEC CICS READNEXT FILE('BENCH') INTO(REC) RIDFLD(KEY-F)
             RESP(RC) END-EXEC
           PERFORM UNTIL RC NOT = DFHRESP(NORMAL) OR KEY-F > LAST-KEY
             ADD COUNTED TO SUM-F
             EXEC CICS READNEXT FILE('BENCH') INTO(REC) RIDFLD(KEY-F)
               RESP(RC) END-EXEC
           END-PERFORM
           EXEC CICS ENDBR FILE('BENCH') END-EXEC
           EXEC CICS RETURN END-EXEC.
