      * WRITE and DELETE of a 200-byte record.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LPWDL.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-RECORD             PIC X(200).
       01  WS-KEY                PIC 9(8) VALUE 20000.
       01  WS-DONE               PIC S9(9) COMP-5 VALUE 0.
       01  WS-WANTED             PIC S9(9) COMP-5 VALUE 0.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-WANTED         PIC 9(8) COMP.
           05  CA-DONE           PIC 9(8) COMP.
       PROCEDURE DIVISION.
           MOVE CA-WANTED TO WS-WANTED.
           PERFORM UNTIL WS-DONE >= WS-WANTED
               MOVE WS-KEY TO WS-RECORD(1:8)
               EXEC CICS WRITE FILE('BENCHU') FROM(WS-RECORD)
                   RIDFLD(WS-KEY)
               END-EXEC
               EXEC CICS DELETE FILE('BENCHU') RIDFLD(WS-KEY)
               END-EXEC
               ADD 1 TO WS-DONE
           END-PERFORM.
           MOVE WS-DONE TO CA-DONE.
           EXEC CICS RETURN END-EXEC.
