      * Statements with unsigned zoned items that hold blanks.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. BLANKS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 UX PIC X(5) VALUE '   12'.
       01 U REDEFINES UX PIC 9(5).
       01 UV REDEFINES UX PIC 9(3)V99.
       01 W PIC 9(6) VALUE 12.
       01 N PIC S9(7) COMP-3.
       01 B PIC S9(8) COMP.
       01 F COMP-2.
       01 COUNTER PIC S9(4) COMP VALUE 0.
       01 XX PIC X(5).
       01 SAME-1 PIC 9(5).
       LINKAGE SECTION.
       01 DFHCOMMAREA PIC X(40).
       PROCEDURE DIVISION.
           MOVE 1 TO N. ADD U TO N.
           IF N = 13 MOVE 'A' TO DFHCOMMAREA(1:1).
           SUBTRACT U FROM N.
           IF N = 1 MOVE 'B' TO DFHCOMMAREA(2:1).
           MULTIPLY U BY N.
           IF N = 12 MOVE 'C' TO DFHCOMMAREA(3:1).
           DIVIDE U INTO N.
           IF N = 1 MOVE 'D' TO DFHCOMMAREA(4:1).
           IF U = W AND W = U MOVE 'E' TO DFHCOMMAREA(5:1).
           MOVE 12 TO B N.
           IF U = B AND U = N AND NOT U > 12
              MOVE 'F' TO DFHCOMMAREA(6:1).
           PERFORM U TIMES
              ADD 1 TO COUNTER
           END-PERFORM.
           IF COUNTER = 12 MOVE 'G' TO DFHCOMMAREA(7:1).
           EVALUATE U
              WHEN 12 MOVE 'H' TO DFHCOMMAREA(8:1)
           END-EVALUATE.
           MOVE U TO F.
           IF F = 12 MOVE 'I' TO DFHCOMMAREA(9:1).
           COMPUTE F = UV * 100.
           IF F = 12 AND UV = 0.12 MOVE 'J' TO DFHCOMMAREA(10:1).
      * Characters stay characters.
           MOVE U TO XX.
           IF XX = '   12' AND U NOT = '00012'
              MOVE 'K' TO DFHCOMMAREA(11:1).
           MOVE SPACES TO UX.
           IF U = SPACES AND U = ZERO MOVE 'L' TO DFHCOMMAREA(12:1).
      * On SIZE ERROR the item keeps what it has.
           MOVE '9999 ' TO UX.
           ADD 10 TO U ON SIZE ERROR CONTINUE END-ADD.
           IF UX = '9999 ' MOVE 'M' TO DFHCOMMAREA(13:1).
           MOVE '    9' TO UX.
           ADD 1 TO U ON SIZE ERROR MOVE 0 TO U END-ADD.
           IF UX = '00010' MOVE 'N' TO DFHCOMMAREA(14:1).
           MOVE '    9' TO UX.
           SUBTRACT 1 FROM U.
           IF UX = '00008' MOVE 'O' TO DFHCOMMAREA(15:1).
           MOVE '    9' TO UX.
           PERFORM VARYING U FROM U BY 1 UNTIL U > 11
              CONTINUE
           END-PERFORM.
           IF UX = '00012' MOVE 'P' TO DFHCOMMAREA(16:1).
           MOVE '    9' TO UX.
           COMPUTE B = FUNCTION MAX(U 3).
           IF B = 9 MOVE 'Q' TO DFHCOMMAREA(17:1).
           EXEC CICS RETURN END-EXEC.
