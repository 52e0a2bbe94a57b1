      * A nested program, a subprogram without commands and data of the
      * program around: documents of each.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. DOCNEST.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  OUTER-ITEM GLOBAL.
           05 WORD PIC X(5) VALUE 'outer'.
       01  AREA-1 GLOBAL PIC X(60).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 OUT-TEXT PIC X(60).
       PROCEDURE DIVISION.
           MOVE SPACES TO AREA-1.
           CALL 'INNER'.
           IF JSON-CODE = 0 MOVE '!' TO AREA-1(60:1).
           CALL 'DOCSUB' USING AREA-1.
           MOVE AREA-1 TO OUT-TEXT.
           EXEC CICS RETURN END-EXEC.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. INNER.
       PROCEDURE DIVISION.
           JSON GENERATE AREA-1 FROM OUTER-ITEM.
           EXIT PROGRAM.
       END PROGRAM INNER.
       END PROGRAM DOCNEST.
