       IDENTIFICATION DIVISION.
       PROGRAM-ID. OWNS.
      * ENQ on the address of an item of the CWA. Started, it owns the
      * item until it ends; linked to, it says whether somebody does.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP.
       01  OWN-ITEM PIC X(8).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       01  COMMON-AREA.
           05 FILLER PIC X(16).
           05 COMMON-ITEM PIC X(8).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS ADDRESS CWA(ADDRESS OF COMMON-AREA) END-EXEC.
           IF EIBCALEN = 0
              EXEC CICS ENQ RESOURCE(COMMON-ITEM) END-EXEC
              EXEC CICS ENQ RESOURCE(OWN-ITEM) END-EXEC
              EXEC CICS DELAY FOR SECONDS(20) END-EXEC
              EXEC CICS RETURN END-EXEC
           END-IF.
           IF CA-TEXT(1:5) = 'START'
              EXEC CICS START TRANSID('OWNS') RESP(RC) END-EXEC
              MOVE 'STARTED' TO CA-TEXT
              EXEC CICS RETURN END-EXEC
           END-IF.
           MOVE 'FREE' TO CA-TEXT.
           EXEC CICS ENQ RESOURCE(COMMON-ITEM) NOSUSPEND RESP(RC)
                END-EXEC.
           IF RC = DFHRESP(ENQBUSY) MOVE 'BUSY' TO CA-TEXT END-IF.
           EXEC CICS ENQ RESOURCE(OWN-ITEM) NOSUSPEND RESP(RC)
                END-EXEC.
           IF RC = DFHRESP(ENQBUSY)
              MOVE 'OWN STORAGE IS BUSY' TO CA-TEXT
           END-IF.
           EXEC CICS RETURN END-EXEC.
