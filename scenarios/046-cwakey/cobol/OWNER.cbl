       IDENTIFICATION DIVISION.
       PROGRAM-ID. OWNER.
      * Fills the CWA; LINKs to a program that may only read it.
       DATA DIVISION.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       01  CWA PIC X(60).
       PROCEDURE DIVISION.
           EXEC CICS ADDRESS CWA(ADDRESS OF CWA) END-EXEC.
           IF DFHCOMMAREA (1:4) = 'LINK'
              EXEC CICS LINK PROGRAM('READER') COMMAREA(DFHCOMMAREA)
                   LENGTH(60) END-EXEC
              MOVE 'STORED AFTER A LINK' TO CWA
           ELSE
              MOVE DFHCOMMAREA TO CWA
              MOVE 'STORED' TO DFHCOMMAREA
           END-IF.
           EXEC CICS RETURN END-EXEC.
