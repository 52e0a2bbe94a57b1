       IDENTIFICATION DIVISION.
       PROGRAM-ID. STAT.
      * Does a known amount of work, and collects what was counted.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  R      PIC S9(8) COMP VALUE 0.
       01  R2     PIC S9(8) COMP VALUE 0.
       01  N      PIC S9(8) COMP.
       01  SHOW   PIC ZZZ9.
       01  AT-POS PIC 99 VALUE 1.
       01  ITEM   PIC X(10) VALUE 'AN ITEM'.
       01  LEN    PIC S9(4) COMP VALUE 10.
       01  RES    PIC X(8) VALUE 'RESOURCE'.
       LINKAGE SECTION.
       COPY DFHTSGDS.
       COPY DFHNQGDS.
       COPY DFHDSGDS.
       COPY DFHSMSDS.
       01  DFHCOMMAREA.
           05 CA-WHAT PIC X(8).
           05 CA-REST PIC X(52).
       PROCEDURE DIVISION USING DFHCOMMAREA.
       MAIN-LINE.
           MOVE SPACES TO CA-REST.
           EVALUATE CA-WHAT
               WHEN 'TSWORK'
                   PERFORM 3 TIMES
                       EXEC CICS WRITEQ TS QUEUE('MAINQ') FROM(ITEM)
                            LENGTH(10) MAIN END-EXEC
                   END-PERFORM
                   PERFORM 2 TIMES
                       EXEC CICS READQ TS QUEUE('MAINQ') INTO(ITEM)
                            LENGTH(LEN) NEXT END-EXEC
                   END-PERFORM
                   EXEC CICS WRITEQ TS QUEUE('AUXQ') FROM(ITEM)
                        LENGTH(10) AUXILIARY END-EXEC
                   MOVE 1 TO N
                   EXEC CICS WRITEQ TS QUEUE('AUXQ') FROM(ITEM)
                        LENGTH(10) ITEM(N) REWRITE END-EXEC
                   EXEC CICS WRITEQ TS QUEUE('KEPTQ') FROM(ITEM)
                        LENGTH(10) END-EXEC
                   EXEC CICS READQ TS QUEUE('KEPTQ') INTO(ITEM)
                        LENGTH(LEN) ITEM(1) END-EXEC
      * Nothing is counted of what fails.
                   EXEC CICS READQ TS QUEUE('NOQ') INTO(ITEM)
                        LENGTH(LEN) NEXT RESP(R) END-EXEC
                   PERFORM SHOW-TS
               WHEN 'TS'
                   PERFORM SHOW-TS
               WHEN 'ENQWORK'
                   EXEC CICS ENQ RESOURCE(RES) LENGTH(8) END-EXEC
                   EXEC CICS ENQ RESOURCE(RES) END-EXEC
                   EXEC CICS START TRANSID('BUSY') END-EXEC
                   PERFORM UNTIL N = 1
                       EXEC CICS COLLECT STATISTICS ENQUEUE
                            SET(ADDRESS OF DFHNQGDS) END-EXEC
                       MOVE NQGCNQSW(1) TO N
                       EXEC CICS SUSPEND END-EXEC
                   END-PERFORM
                   EXEC CICS DEQ RESOURCE(RES) LENGTH(8) END-EXEC
                   MOVE 0 TO N
                   PERFORM UNTIL N = 1
                       EXEC CICS COLLECT STATISTICS ENQUEUE
                            SET(ADDRESS OF DFHNQGDS) END-EXEC
                       MOVE NQGTNQSW(1) TO N
                       EXEC CICS SUSPEND END-EXEC
                   END-PERFORM
                   PERFORM SHOW-ENQ
               WHEN 'ENQ'
                   EXEC CICS EXTRACT STATISTICS ENQUEUE
                        SET(ADDRESS OF DFHNQGDS) END-EXEC
                   PERFORM SHOW-ENQ
               WHEN 'POOL'
                   EXEC CICS COLLECT STATISTICS DISPATCHER
                        SET(ADDRESS OF DFHDSGDS) END-EXEC
                   MOVE DSGCNT TO N PERFORM SHOW-N
                   MOVE DSGPSIZE TO N PERFORM SHOW-N
                   MOVE DSGTCBPN(1) TO CA-REST(AT-POS:4)
                   ADD 4 TO AT-POS
                   MOVE DSGMXTCB(1) TO N PERFORM SHOW-N
                   MOVE DSGCNUUS(1) TO N PERFORM SHOW-N
                   IF DSGCNUAT(1) < 1 OR DSGPNUAT(1) < DSGCNUAT(1)
                        OR DSGPNUUS(1) < 1 OR DSGPNT < 1
                       MOVE 'NO WORKERS' TO CA-REST
                   END-IF
               WHEN 'STORAGE'
                   EXEC CICS COLLECT STATISTICS STORAGE
                        SET(ADDRESS OF DFHSMSDS) END-EXEC
                   DIVIDE SMSEDSALIMIT BY 1048576 GIVING N
                   PERFORM SHOW-N
                   IF SMSEDSATOTAL < 1 OR SMSEDSATOTAL > SMSEDSALIMIT
                       MOVE 'NONE IN USE' TO CA-REST
                   END-IF
               WHEN 'NOTSO'
                   EXEC CICS COLLECT STATISTICS STORAGE('CDSA')
                        SET(ADDRESS OF DFHSMSDS) RESP(R) RESP2(R2)
                        END-EXEC
                   PERFORM SHOW-R
                   EXEC CICS COLLECT STATISTICS STATS
                        SET(ADDRESS OF DFHSMSDS) RESP(R) RESP2(R2)
                        END-EXEC
                   PERFORM SHOW-R
               WHEN 'RESET'
                   EXEC CICS PERFORM STATISTICS RECORD ALL RESETNOW
                        END-EXEC
               WHEN 'SOME'
                   EXEC CICS PERFORM STATISTICS RECORD TSQUEUE ENQUEUE
                        DISPATCHER STORAGE END-EXEC
           END-EVALUATE.
           MOVE SPACES TO CA-WHAT.
           GOBACK.
       SHOW-TS.
           EXEC CICS COLLECT STATISTICS TSQUEUE
                SET(ADDRESS OF DFHTSGDS) END-EXEC.
           MOVE TSGSTA5F TO N PERFORM SHOW-N.
           MOVE TSGNMG TO N PERFORM SHOW-N.
           MOVE TSGSTA7F TO N PERFORM SHOW-N.
           MOVE TSGNAG TO N PERFORM SHOW-N.
           MOVE TSGSTA3F TO N PERFORM SHOW-N.
       SHOW-ENQ.
           MOVE NQGNPOOL TO N PERFORM SHOW-N.
           MOVE NQGPOOL(1) TO CA-REST(AT-POS:8)
           ADD 8 TO AT-POS.
           MOVE NQGTNQSI(1) TO N PERFORM SHOW-N.
           MOVE NQGTNQSW(1) TO N PERFORM SHOW-N.
           MOVE NQGCNQSW(1) TO N PERFORM SHOW-N.
           MOVE NQGTIRJB(1) TO N PERFORM SHOW-N.
           MOVE NQGPOOL(2) TO CA-REST(AT-POS:8)
           ADD 8 TO AT-POS.
           MOVE NQGTNQSI(2) TO N PERFORM SHOW-N.
           MOVE NQGTNQSW(2) TO N PERFORM SHOW-N.
       SHOW-N.
           MOVE N TO SHOW.
           MOVE SHOW TO CA-REST(AT-POS:4).
           ADD 4 TO AT-POS.
       SHOW-R.
           MOVE R TO N PERFORM SHOW-N.
           MOVE R2 TO N PERFORM SHOW-N.
