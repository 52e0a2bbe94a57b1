       IDENTIFICATION DIVISION.
       PROGRAM-ID. NOSQL.
      * A program with SQL where there is no database.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  ROW-NO        PIC S9(9) COMP.
       01  SHOWN         PIC -(4)9.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       PROCEDURE DIVISION.
           IF DFHCOMMAREA(1:5) = 'OTHER'
             MOVE 'no statement was run' TO DFHCOMMAREA
             EXEC CICS RETURN END-EXEC
           END-IF.
           EXEC SQL SELECT NO INTO :ROW-NO FROM PAY END-EXEC.
           MOVE SQLCODE TO SHOWN.
           MOVE SPACES TO DFHCOMMAREA.
           STRING SHOWN ' ' SQLSTATE DELIMITED BY SIZE
             INTO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
