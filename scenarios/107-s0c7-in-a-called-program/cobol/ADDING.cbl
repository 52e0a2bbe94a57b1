       IDENTIFICATION DIVISION.
       PROGRAM-ID. ADDING.
      * Adds up two amounts; has no EXEC CICS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  TOTAL      PIC S9(7)V99 COMP-3 VALUE 0.
       01  I          PIC S9(4) COMP.
       01  NOTES.
           05 FILLED  PIC 99 VALUE 2.
           05 NOTE    PIC X OCCURS 1 TO 5 DEPENDING ON FILLED.
           05 BEHIND  PIC X(3).
       LINKAGE SECTION.
       01  AMOUNTS.
           05 AMOUNT  PIC S9(5)V99 COMP-3 OCCURS 2.
       PROCEDURE DIVISION USING AMOUNTS.
           MOVE 'YES' TO BEHIND.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 2
               MOVE 'A' TO NOTE(I)
               ADD AMOUNT(I) TO TOTAL
           END-PERFORM.
           GOBACK.
