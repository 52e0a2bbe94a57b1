      * Answers the first item of temporary storage queue SEEN and
      * deletes the queue.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. TAKE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  D PIC X(80).
       01  L PIC S9(4) COMP VALUE 80.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       PROCEDURE DIVISION.
           EXEC CICS READQ TS QUEUE('SEEN') INTO(D) LENGTH(L) ITEM(1)
                RESP(RC) END-EXEC.
           MOVE 'NOTHING' TO CA-TEXT.
           IF RC = 0
              MOVE D (1:L) TO CA-TEXT
              EXEC CICS DELETEQ TS QUEUE('SEEN') END-EXEC
           END-IF.
           EXEC CICS RETURN END-EXEC.
