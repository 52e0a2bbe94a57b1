      * The loop itself, taken off the other figures.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LPNONE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-TIME               PIC S9(15) COMP-3.
       01  WS-DATA               PIC X(100) VALUE 'A SMALL CONTAINER'.
       01  WS-LENGTH             PIC S9(8) COMP VALUE 100.
       01  WS-DONE               PIC S9(9) COMP-5 VALUE 0.
       01  WS-WANTED             PIC S9(9) COMP-5 VALUE 0.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-WANTED         PIC 9(8) COMP.
           05  CA-DONE           PIC 9(8) COMP.
       PROCEDURE DIVISION.
           MOVE CA-WANTED TO WS-WANTED.
           PERFORM UNTIL WS-DONE >= WS-WANTED
               CONTINUE
               ADD 1 TO WS-DONE
           END-PERFORM.
           MOVE WS-DONE TO CA-DONE.
           EXEC CICS RETURN END-EXEC.
