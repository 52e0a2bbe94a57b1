       IDENTIFICATION DIVISION.
       PROGRAM-ID. STAT.
      * What is counted of a link that is used, of two that are not
      * reached, and of entries of Db2.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  R      PIC S9(8) COMP VALUE 0.
       01  R2     PIC S9(8) COMP VALUE 0.
       01  N      PIC S9(8) COMP.
       01  SHOW   PIC ZZZ9.
       01  AT-POS PIC 99 VALUE 1.
       01  ITEM   PIC X(10) VALUE 'AN ITEM'.
       LINKAGE SECTION.
       COPY DFHA14DS.
       COPY DFHISRDS.
       COPY DFHD2RDS.
       01  DFHCOMMAREA.
           05 CA-WHAT PIC X(8).
           05 CA-NAME PIC X(8).
           05 CA-REST PIC X(44).
       PROCEDURE DIVISION USING DFHCOMMAREA.
       MAIN-LINE.
           MOVE SPACES TO CA-REST.
           EVALUATE CA-WHAT
               WHEN 'CONN'
                   EXEC CICS PERFORM STATISTICS RECORD ALL RESETNOW
                        END-EXEC
                   PERFORM 3 TIMES
                       EXEC CICS WRITEQ TS QUEUE('THINGS') FROM(ITEM)
                            LENGTH(10) SYSID(CA-NAME(1:4))
                            RESP(R) RESP2(R2) END-EXEC
                       EXEC CICS SYNCPOINT END-EXEC
                   END-PERFORM
                   MOVE R TO N PERFORM SHOW-N
                   EXEC CICS COLLECT STATISTICS
                        CONNECTION(CA-NAME(1:4))
                        SET(ADDRESS OF DFHA14DS) END-EXEC
                   MOVE A14ESTAS TO N PERFORM SHOW-N
                   MOVE A14ESTAQ TO N PERFORM SHOW-N
                   MOVE A14ESTAF TO N PERFORM SHOW-N
                   MOVE A14ESTAO TO N PERFORM SHOW-N
                   MOVE A14ESID TO CA-NAME
               WHEN 'IPCONN'
                   EXEC CICS WRITEQ TS QUEUE('THINGS') FROM(ITEM)
                        LENGTH(10) SYSID(CA-NAME(1:4))
                        RESP(R) RESP2(R2) END-EXEC
                   MOVE R TO N PERFORM SHOW-N
                   EXEC CICS EXTRACT STATISTICS
                        RESTYPE(DFHVALUE(IPCONN))
                        RESID(CA-NAME) RESIDLEN(4)
                        SET(ADDRESS OF DFHISRDS) END-EXEC
                   MOVE ISR-PORT-NUMBER TO N PERFORM SHOW-N
                   MOVE ISR-SEND-SESSIONS TO N PERFORM SHOW-N
                   MOVE ISR-RECEIVE-SESSIONS TO N PERFORM SHOW-N
                   MOVE ISR-TOTAL-ALLOCATES TO N PERFORM SHOW-N
                   MOVE ISR-ALLOCATES-FAILED-LINK TO N PERFORM SHOW-N
                   MOVE ISR-HOST-NAME TO CA-REST(AT-POS:9)
                   MOVE ISR-APPLID TO CA-NAME
               WHEN 'ENTRY'
                   EXEC SQL SELECT COUNT(*) INTO :N
                        FROM SYSIBM.SYSDUMMY1 END-EXEC
                   EXEC CICS COLLECT STATISTICS DB2ENTRY(CA-NAME)
                        SET(ADDRESS OF DFHD2RDS) END-EXEC
                   MOVE SQLCODE TO N PERFORM SHOW-N
                   MOVE D2R-THREAD-LIMIT TO N PERFORM SHOW-N
                   MOVE D2R-THREAD-CURRENT TO N PERFORM SHOW-N
                   MOVE D2R-THREAD-HWM TO N PERFORM SHOW-N
                   MOVE D2R-THREAD-WAIT-OR-OVERFL TO N PERFORM SHOW-N
                   MOVE D2R-PLAN-NAME TO CA-NAME
               WHEN 'NOTSO'
                   EXEC CICS COLLECT STATISTICS CONNECTION('NONE')
                        SET(ADDRESS OF DFHA14DS)
                        RESP(R) RESP2(R2) END-EXEC
                   PERFORM SHOW-R
                   EXEC CICS EXTRACT STATISTICS
                        RESTYPE(DFHVALUE(CONNECTION))
                        RESID('FOR1') RESIDLEN(4)
                        SET(ADDRESS OF DFHA14DS)
                        RESP(R) RESP2(R2) END-EXEC
                   PERFORM SHOW-R
                   EXEC CICS EXTRACT STATISTICS
                        RESTYPE(DFHVALUE(DB2ENTRY))
                        RESID('NONE') RESIDLEN(4)
                        SET(ADDRESS OF DFHD2RDS)
                        RESP(R) RESP2(R2) END-EXEC
                   PERFORM SHOW-R
           END-EVALUATE.
           MOVE SPACES TO CA-WHAT.
           GOBACK.
       SHOW-N.
           MOVE N TO SHOW.
           MOVE SHOW TO CA-REST(AT-POS:4).
           ADD 4 TO AT-POS.
       SHOW-R.
           MOVE R TO N PERFORM SHOW-N.
           MOVE R2 TO N PERFORM SHOW-N.
