      * Adds one to the count of a record, then fails: nothing is left.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. FAILUPD.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC.
           05 FILLER PIC X(8).
           05 COUNTED PIC 9(8).
           05 FILLER PIC X(184).
       01  KEY-F PIC X(8).
       01  BAD-X PIC X(4) VALUE 'ABCD'.
       01  BAD REDEFINES BAD-X PIC S9(7) COMP-3.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(8).
       PROCEDURE DIVISION.
           MOVE DFHCOMMAREA TO KEY-F
           EXEC CICS READ FILE('BENCH') INTO(REC) RIDFLD(KEY-F) UPDATE
             END-EXEC
           ADD 1 TO COUNTED
           EXEC CICS REWRITE FILE('BENCH') FROM(REC) END-EXEC
           ADD 1 TO BAD
           EXEC CICS RETURN END-EXEC.
