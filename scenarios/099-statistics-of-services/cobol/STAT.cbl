       IDENTIFICATION DIVISION.
       PROGRAM-ID. STAT.
      * Units of work and journal records of a known number, counted.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  R      PIC S9(8) COMP VALUE 0.
       01  R2     PIC S9(8) COMP VALUE 0.
       01  N      PIC S9(8) COMP.
       01  SHOW   PIC ZZZ9.
       01  AT-POS PIC 99 VALUE 1.
       01  ITEM   PIC X(10) VALUE 'AN ITEM'.
       LINKAGE SECTION.
       COPY DFHRMGDS.
       COPY DFHLGRDS.
       COPY DFHD2GDS.
       01  DFHCOMMAREA.
           05 CA-WHAT PIC X(8).
           05 CA-REST PIC X(52).
       PROCEDURE DIVISION USING DFHCOMMAREA.
       MAIN-LINE.
           MOVE SPACES TO CA-REST.
           EVALUATE CA-WHAT
               WHEN 'UNITS'
                   EXEC CICS PERFORM STATISTICS RECORD ALL RESETNOW
                        END-EXEC
                   PERFORM 3 TIMES
                       EXEC CICS WRITEQ TD QUEUE('KEPT') FROM(ITEM)
                            LENGTH(10) END-EXEC
                       EXEC CICS SYNCPOINT END-EXEC
                   END-PERFORM
                   EXEC CICS WRITEQ TD QUEUE('KEPT') FROM(ITEM)
                        LENGTH(10) END-EXEC
                   EXEC CICS SYNCPOINT ROLLBACK END-EXEC
                   EXEC CICS COLLECT STATISTICS RECOVERY
                        SET(ADDRESS OF DFHRMGDS) END-EXEC
                   MOVE RMGSYFWD TO N PERFORM SHOW-N
                   MOVE RMGSYBWD TO N PERFORM SHOW-N
               WHEN 'JOURNAL'
                   PERFORM 4 TIMES
                       EXEC CICS WRITE JOURNALNAME('AUDIT')
                            JTYPEID('AA') FROM(ITEM) FLENGTH(10)
                            END-EXEC
                   END-PERFORM
                   EXEC CICS COLLECT STATISTICS JOURNALNAME('AUDIT')
                        SET(ADDRESS OF DFHLGRDS) END-EXEC
                   MOVE LGRJNLNAME TO CA-REST(1:8)
                   MOVE LGRSTREAM TO CA-REST(9:8)
                   MOVE 17 TO AT-POS
                   MOVE LGRWRITES TO N PERFORM SHOW-N
                   EXEC CICS EXTRACT STATISTICS
                        RESTYPE(DFHVALUE(JOURNALNAME))
                        RESID('NONE') RESIDLEN(4)
                        SET(ADDRESS OF DFHLGRDS)
                        RESP(R) RESP2(R2) END-EXEC
                   PERFORM SHOW-R
               WHEN 'DB2'
                   EXEC CICS COLLECT STATISTICS DB2CONN
                        SET(ADDRESS OF DFHD2GDS) END-EXEC
                   MOVE D2G-DB2CONN-NAME TO CA-REST(1:8)
                   MOVE 9 TO AT-POS
                   MOVE D2G-TCB-LIMIT TO N PERFORM SHOW-N
                   MOVE D2G-POOL-THREAD-LIMIT TO N PERFORM SHOW-N
                   MOVE D2G-TCB-CURRENT TO N PERFORM SHOW-N
               WHEN 'NOTSO'
                   EXEC CICS COLLECT STATISTICS TCPIP
                        SET(ADDRESS OF DFHD2GDS)
                        RESP(R) RESP2(R2) END-EXEC
                   PERFORM SHOW-R
                   EXEC CICS COLLECT STATISTICS RECOVERY
                        SET(ADDRESS OF DFHRMGDS) END-EXEC
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
