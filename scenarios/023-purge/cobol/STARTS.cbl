       IDENTIFICATION DIVISION.
       PROGRAM-ID. STARTS.
      * Starts the transaction of the COMMAREA and waits until it has
      * written the queue that stands behind it.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP.
       01  D PIC X(8).
       01  L PIC S9(4) COMP.
       01  QNAME PIC X(8).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TRAN PIC X(4).
           05 CA-QUEUE PIC X(8).
           05 FILLER PIC X(48).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE CA-QUEUE TO QNAME.
           EXEC CICS DELETEQ TS QUEUE(QNAME) RESP(RC) END-EXEC.
           EXEC CICS START TRANSID(CA-TRAN) END-EXEC.
           MOVE 1 TO RC.
           PERFORM UNTIL RC = 0
              EXEC CICS DELAY FOR MILLISECS(50) END-EXEC
              MOVE 8 TO L
              EXEC CICS READQ TS QUEUE(QNAME) INTO(D) LENGTH(L) ITEM(1)
                   RESP(RC) END-EXEC
           END-PERFORM.
           MOVE 'STARTED' TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
