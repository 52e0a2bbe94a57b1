      * START in a day and CANCEL of the request.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LPSTC.
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
               EXEC CICS START TRANSID('LPST') INTERVAL(235959)
                   REQID('BENCHREQ')
               END-EXEC
               EXEC CICS CANCEL REQID('BENCHREQ') END-EXEC
               ADD 1 TO WS-DONE
           END-PERFORM.
           MOVE WS-DONE TO CA-DONE.
           EXEC CICS RETURN END-EXEC.
