      * READNEXT of 200-byte records in a loop, from the first again at
      * the end of the file.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LPNEXT.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-RECORD             PIC X(200).
       01  WS-KEY                PIC X(8) VALUE LOW-VALUES.
       01  WS-RESP               PIC S9(8) COMP.
       01  WS-DONE               PIC S9(9) COMP-5 VALUE 0.
       01  WS-WANTED             PIC S9(9) COMP-5 VALUE 0.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-WANTED         PIC 9(8) COMP.
           05  CA-DONE           PIC 9(8) COMP.
       PROCEDURE DIVISION.
           MOVE CA-WANTED TO WS-WANTED.
           EXEC CICS STARTBR FILE('BENCH') RIDFLD(WS-KEY) END-EXEC.
           PERFORM UNTIL WS-DONE >= WS-WANTED
               EXEC CICS READNEXT FILE('BENCH') INTO(WS-RECORD)
                   RIDFLD(WS-KEY) RESP(WS-RESP)
               END-EXEC
               IF WS-RESP NOT = DFHRESP(NORMAL)
                   MOVE LOW-VALUES TO WS-KEY
               END-IF
               ADD 1 TO WS-DONE
           END-PERFORM.
           MOVE WS-DONE TO CA-DONE.
           EXEC CICS RETURN END-EXEC.
