      * Comparisons and functions with floating point. COMP-1 is lengthened
      * with zeros, so 12.34 in short form is not 12.34 in long form.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. FLOATIF.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 F1 COMP-1.
       01 F2 COMP-2.
       01 G2 COMP-2.
       01 N PIC 9(4)V99 VALUE 12.34.
       01 P PIC S9(7)V99 COMP-3 VALUE 12.34.
       01 M PIC S9(9)V99.
       01 N1 PIC 9V9.
       01 AMOUNT PIC X(9) VALUE ' 2.675'.
       01 I PIC S9(4) COMP VALUE 3.
       01 AT-POS PIC S9(4) COMP VALUE 0.
       LINKAGE SECTION.
       01 DFHCOMMAREA PIC X(40).
       PROCEDURE DIVISION.
           MOVE 12.34 TO F1 F2.
           IF F2 = 12.34 MOVE 'A' TO DFHCOMMAREA(1:1).
           IF F2 = N AND P = F2 MOVE 'B' TO DFHCOMMAREA(2:1).
           IF F1 NOT = F2 AND F1 > N MOVE 'C' TO DFHCOMMAREA(3:1).
           IF F2 * 100 = 1234 MOVE 'D' TO DFHCOMMAREA(4:1).
           MOVE 123456789.01 TO F2.
           MOVE 123456789.02 TO G2.
           IF F2 < G2 MOVE 'E' TO DFHCOMMAREA(5:1).
           MOVE 0.5 TO F1.
           IF F1 = 0.5 AND F1 > 0 AND F1 < 1
              MOVE 'F' TO DFHCOMMAREA(6:1).
      * The function answers floating point: rounded without ROUNDED.
           COMPUTE N = FUNCTION NUMVAL(AMOUNT).
           IF N = 2.68 MOVE 'G' TO DFHCOMMAREA(7:1).
           COMPUTE N = FUNCTION SQRT(3).
           IF N = 1.73 MOVE 'H' TO DFHCOMMAREA(8:1).
           COMPUTE N = 2 ** 0.75.
           IF N = 1.68 MOVE 'I' TO DFHCOMMAREA(9:1).
      * Fixed point is cut as before, also behind floating point.
           COMPUTE N = 8 / 3.
           IF N = 2.66 MOVE 'J' TO DFHCOMMAREA(10:1).
           MOVE 2.675 TO N1.
           IF N1 = 2.6 MOVE 'K' TO DFHCOMMAREA(11:1).
      * Expressions: 0.1 + 0.2 in floating point, three receivers.
           MOVE 0.1 TO F2.
           MOVE 0.2 TO G2.
           COMPUTE N M P = (F2 + G2) * 10.25.
           IF N = 3.08 AND M = 3.08 AND P = 3.08
              MOVE 'L' TO DFHCOMMAREA(12:1).
           MOVE -1.005 TO F2.
           MOVE F2 TO M.
           COMPUTE G2 = F2 * 1000.
           MOVE G2 TO P.
           IF M = -1.00 AND P = -1005 MOVE 'M' TO DFHCOMMAREA(13:1).
           EXEC CICS RETURN END-EXEC.
