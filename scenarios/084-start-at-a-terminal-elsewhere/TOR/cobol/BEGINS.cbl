       IDENTIFICATION DIVISION.
       PROGRAM-ID. BEGINS.
      * START of a dynamic transaction, and what was told of it.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP.
       01  WS-LEN PIC S9(4) COMP VALUE 12.
       01  WS-ITEM PIC X(12) VALUE SPACES.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TRANSID PIC X(4).
           05 FILLER PIC X(56).
       PROCEDURE DIVISION.
           IF CA-TRANSID NOT = 'TOLD'
               EXEC CICS START TRANSID(CA-TRANSID) TERMID('R001')
                   FROM('dynamic') LENGTH(7) RESP(RC) END-EXEC
               MOVE SPACES TO DFHCOMMAREA
               IF RC = 0
                   MOVE 'BEGUN' TO DFHCOMMAREA
               END-IF
               EXEC CICS RETURN END-EXEC
           END-IF.
           EXEC CICS READQ TS QUEUE('NOTES') INTO(WS-ITEM)
               LENGTH(WS-LEN) ITEM(1) RESP(RC) END-EXEC.
           MOVE SPACES TO DFHCOMMAREA.
           MOVE WS-ITEM TO DFHCOMMAREA.
           EXEC CICS DELETEQ TS QUEUE('NOTES') RESP(RC) END-EXEC.
           EXEC CICS RETURN END-EXEC.
