      * READ UPDATE and REWRITE of a 200-byte record, keys in turn.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LPUPD.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-RECORD             PIC X(200).
       01  WS-KEY                PIC 9(8) VALUE 0.
       01  WS-DONE               PIC S9(9) COMP-5 VALUE 0.
       01  WS-WANTED             PIC S9(9) COMP-5 VALUE 0.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-WANTED         PIC 9(8) COMP.
           05  CA-DONE           PIC 9(8) COMP.
       PROCEDURE DIVISION.
           MOVE CA-WANTED TO WS-WANTED.
           PERFORM UNTIL WS-DONE >= WS-WANTED
               EXEC CICS READ FILE('BENCHU') INTO(WS-RECORD)
                   RIDFLD(WS-KEY) UPDATE
               END-EXEC
               EXEC CICS REWRITE FILE('BENCHU') FROM(WS-RECORD)
               END-EXEC
               ADD 1 TO WS-KEY
               IF WS-KEY > 9999 MOVE 0 TO WS-KEY END-IF
               ADD 1 TO WS-DONE
           END-PERFORM.
           MOVE WS-DONE TO CA-DONE.
           EXEC CICS RETURN END-EXEC.
