      * A started task leaves its name; linked to, it says whose names
      * there are.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. STARTED.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  ONE-NAME PIC X(4).
       01  NAME-LENGTH PIC S9(4) COMP VALUE 4.
       01  RC PIC S9(8) COMP.
       01  AT-PLACE PIC S9(4) COMP VALUE 1.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       PROCEDURE DIVISION.
       MAIN-LINE.
           IF EIBCALEN = 0
              EXEC CICS WRITEQ TS QUEUE('NAMES') FROM(EIBTRNID)
                   LENGTH(NAME-LENGTH) END-EXEC
              EXEC CICS RETURN END-EXEC
           END-IF.
           MOVE SPACES TO CA-TEXT.
           PERFORM WITH TEST AFTER UNTIL RC NOT = DFHRESP(NORMAL)
              EXEC CICS READQ TS QUEUE('NAMES') INTO(ONE-NAME)
                   LENGTH(NAME-LENGTH) NEXT RESP(RC) END-EXEC
              IF RC = DFHRESP(NORMAL)
                 MOVE ONE-NAME TO CA-TEXT(AT-PLACE:4)
                 ADD 5 TO AT-PLACE
              END-IF
           END-PERFORM.
           EXEC CICS RETURN END-EXEC.
