       IDENTIFICATION DIVISION.
       PROGRAM-ID. READER.
      * Reads the CWA, and tries to store there.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  AREA-OF-OWNER PIC X(60) VALUE 'STORED FOR READER'.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       01  CWA PIC X(60).
       PROCEDURE DIVISION.
           EXEC CICS ADDRESS CWA(ADDRESS OF CWA) END-EXEC.
           EVALUATE DFHCOMMAREA
              WHEN 'STORE'
                 MOVE 'WRONG' TO CWA
              WHEN 'ASK'
                 EXEC CICS ASSIGN APPLID(CWA) END-EXEC
              WHEN 'OWNER'
                 EXEC CICS LINK PROGRAM('OWNER')
                      COMMAREA(AREA-OF-OWNER) LENGTH(60) END-EXEC
                 MOVE CWA TO DFHCOMMAREA
              WHEN 'BOTH'
                 EXEC CICS LINK PROGRAM('OWNER')
                      COMMAREA(AREA-OF-OWNER) LENGTH(60) END-EXEC
                 MOVE 'WRONG' TO CWA
              WHEN OTHER
                 MOVE CWA TO DFHCOMMAREA
           END-EVALUATE.
           EXEC CICS RETURN END-EXEC.
