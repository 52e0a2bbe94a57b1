       IDENTIFICATION DIVISION.
       PROGRAM-ID. BOTH.
      * One unit of work with a file here and one of another region:
      * what to do at its end, and the key. The answer is RESP of
      * the SYNCPOINT. As transaction SLOW it takes its key by
      * RETRIEVE, waits before the SYNCPOINT and tells in queues.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  LEN PIC S9(4) COMP VALUE 20.
       01  SHOWN PIC 999.
       01  REC.
           05 REC-KEY PIC X(4).
           05 REC-DATA PIC X(16) VALUE 'both'.
       01  TOLD PIC X(20).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-WHAT PIC X(8).
           05 CA-KEY PIC X(4).
           05 FILLER PIC X(48).
       PROCEDURE DIVISION.
       MAIN-LINE.
           IF EIBTRNID = 'SLOW'
             EXEC CICS RETRIEVE INTO(REC) LENGTH(LEN) END-EXEC
             PERFORM WRITE-BOTH
             EXEC CICS WRITEQ TS QUEUE('BEGUN') FROM(REC) END-EXEC
             EXEC CICS DELAY FOR SECONDS(10) END-EXEC
             PERFORM SYNC-IT
             MOVE SHOWN TO TOLD
             EXEC CICS WRITEQ TS QUEUE('DONE') FROM(TOLD) END-EXEC
             EXEC CICS RETURN END-EXEC
           END-IF.
           MOVE CA-KEY TO REC-KEY.
           PERFORM WRITE-BOTH.
           EVALUATE CA-WHAT
             WHEN 'COMMIT'
               PERFORM SYNC-IT
             WHEN 'BACK'
               EXEC CICS SYNCPOINT ROLLBACK RESP(RC) END-EXEC
             WHEN 'ABEND'
               EXEC CICS ABEND ABCODE('OOPS') NODUMP END-EXEC
             WHEN 'RETURN'
               CONTINUE
           END-EVALUATE.
           MOVE RC TO SHOWN.
           MOVE SPACES TO DFHCOMMAREA.
           MOVE SHOWN TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
       WRITE-BOTH.
           EXEC CICS WRITE FILE('OWN') FROM(REC) RIDFLD(REC-KEY)
             END-EXEC.
           EXEC CICS WRITE FILE('DATA') FROM(REC) RIDFLD(REC-KEY)
             END-EXEC.
       SYNC-IT.
           EXEC CICS SYNCPOINT RESP(RC) END-EXEC.
           MOVE RC TO SHOWN.
