      *> Programs that are linked to are main programs of their run units.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LINKS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 A PIC X(60).
       LINKAGE SECTION.
       01 DFHCOMMAREA PIC X(60).
       PROCEDURE DIVISION.
           EXIT PROGRAM.
           MOVE 'LINKS' TO A.
           EXEC CICS LINK PROGRAM('LINKED') COMMAREA(A) END-EXEC.
           CALL 'ADDS' USING A.
           EXIT PROGRAM.
           MOVE A TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
