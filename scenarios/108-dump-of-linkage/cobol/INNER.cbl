       IDENTIFICATION DIVISION.
       PROGRAM-ID. INNER.
      * Adds up two amounts; has no EXEC CICS.
       DATA DIVISION.
       LOCAL-STORAGE SECTION.
       01  TOTAL      PIC S9(7)V99 COMP-3 VALUE 0.
       01  I          PIC S9(4) COMP.
       LINKAGE SECTION.
       01  CODE-OF-IT PIC X(3).
       01  SUMS.
           05 SUM-OF  PIC S9(5)V99 COMP-3 OCCURS 2.
       PROCEDURE DIVISION USING SUMS CODE-OF-IT.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 2
               ADD SUM-OF(I) TO TOTAL
           END-PERFORM.
           MOVE 'ALL' TO CODE-OF-IT.
           GOBACK.
