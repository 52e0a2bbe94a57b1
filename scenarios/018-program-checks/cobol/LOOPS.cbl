       IDENTIFICATION DIVISION.
       PROGRAM-ID. LOOPS.
      * A loop without a command (AICA), at lines 11 and 12.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  N PIC S9(8) COMP VALUE 0.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM UNTIL N < 0
              MOVE 1 TO N
           END-PERFORM.
           EXEC CICS RETURN END-EXEC.
