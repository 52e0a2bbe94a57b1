       IDENTIFICATION DIVISION.
       PROGRAM-ID. QUEUES.
      * Writes three records, which start a task, and reads one.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  ITEM PIC X(8) VALUE 'RECORD'.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM 3 TIMES
               EXEC CICS WRITEQ TD QUEUE('TRIG') FROM(ITEM) END-EXEC
           END-PERFORM.
           EXEC CICS READQ TD QUEUE('TRIG') INTO(ITEM) END-EXEC.
           MOVE 'DONE' TO DFHCOMMAREA.
           GOBACK.
