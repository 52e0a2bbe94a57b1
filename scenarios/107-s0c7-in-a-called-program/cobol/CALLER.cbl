       IDENTIFICATION DIVISION.
       PROGRAM-ID. CALLER.
      * Calls a program with an amount that was never filled in.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  ADDER      PIC X(8) VALUE 'ADDING'.
       01  AMOUNTS.
           05 AMOUNT  PIC S9(5)V99 COMP-3 OCCURS 2.
       PROCEDURE DIVISION.
           MOVE SPACES TO AMOUNTS.
           MOVE 12.50 TO AMOUNT(1).
           CALL ADDER USING AMOUNTS.
           EXEC CICS RETURN END-EXEC.
