       IDENTIFICATION DIVISION.
       PROGRAM-ID. OUTER.
      * Storage it asked for, and storage of this call; then a program
      * that is called with an amount that was never filled in.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  AMOUNTS.
           05 AMOUNT      PIC S9(5)V99 COMP-3 OCCURS 2.
       01  CURRENCY-CODE  PIC X(3) VALUE 'EUR'.
       LOCAL-STORAGE SECTION.
       77  TIMES-ASKED    PIC S9(4) COMP VALUE 3.
       01  ASKED-BY.
           05 BRANCH      PIC X(4) VALUE 'ROME'.
           05 CLERK       PIC 9(5) VALUE 42.
       LINKAGE SECTION.
       01  DFHCOMMAREA    PIC X(60).
       01  RATE-BLOCK.
           05 BLOCK-NAME  PIC X(8).
           05 BLOCK-RATE  PIC S9(3)V99 COMP-3.
           05 BLOCK-LINES PIC S9(4) COMP OCCURS 2.
       01  NOWHERE        PIC X(8).
       PROCEDURE DIVISION.
           EXEC CICS GETMAIN SET(ADDRESS OF RATE-BLOCK) FLENGTH(15)
                INITIMG(X'00') END-EXEC.
           MOVE 'RATES' TO BLOCK-NAME.
           MOVE 12.5 TO BLOCK-RATE.
           MOVE 7 TO BLOCK-LINES(1).
           MOVE -1 TO BLOCK-LINES(2).
           ADD 1 TO TIMES-ASKED.
           EXEC CICS DUMP TRANSACTION DUMPCODE('LOOK') END-EXEC.
           MOVE SPACES TO AMOUNTS.
           MOVE 12.50 TO AMOUNT(1).
           CALL 'INNER' USING AMOUNTS BY CONTENT CURRENCY-CODE.
           MOVE NOWHERE TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
