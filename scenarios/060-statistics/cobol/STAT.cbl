       IDENTIFICATION DIVISION.
       PROGRAM-ID. STAT.
      * Collects statistics by the supplied copybooks.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  R      PIC S9(8) COMP VALUE 0.
       01  R2     PIC S9(8) COMP VALUE 0.
       01  N      PIC S9(8) COMP.
       01  M      PIC S9(8) COMP.
       01  C      PIC S9(8) COMP.
       01  T      PIC S9(7) COMP-3.
       01  T2     PIC S9(7) COMP-3.
       01  SHOW   PIC ZZZZZ9.
       01  AT-POS PIC 99 VALUE 1.
       01  TDQ-NAME PIC X(4).
       LINKAGE SECTION.
       COPY DFHXMGDS.
       COPY DFHXMRDS.
       COPY DFHXMCDS.
       COPY DFHLDRDS.
       COPY DFHA17DS.
       COPY DFHTQRDS.
       01  DFHCOMMAREA.
           05 CA-WHAT PIC X(8).
           05 CA-REST PIC X(52).
       PROCEDURE DIVISION USING DFHCOMMAREA.
       MAIN-LINE.
           MOVE SPACES TO CA-REST.
           EVALUATE CA-WHAT
               WHEN 'MANAGER'
                   EXEC CICS EXTRACT STATISTICS TRANSACTION
                        SET(ADDRESS OF DFHXMGDS) END-EXEC
                   MOVE XMGNUM TO N PERFORM SHOW-N
                   MOVE XMGTNUM TO N PERFORM SHOW-N
                   MOVE XMGMXT TO N PERFORM SHOW-N
                   MOVE XMGCAT TO N PERFORM SHOW-N
                   MOVE XMGPAT TO N PERFORM SHOW-N
               WHEN 'TRAN'
                   EXEC CICS COLLECT STATISTICS TRANSACTION('USED')
                        SET(ADDRESS OF DFHXMRDS) END-EXEC
                   MOVE XMRAC TO N PERFORM SHOW-N
                   MOVE XMRTI TO CA-REST(AT-POS:4)
                   ADD 5 TO AT-POS
                   MOVE XMRPN TO CA-REST(AT-POS:8)
                   EXEC CICS COLLECT STATISTICS TRANSACTION('STAT')
                        SET(ADDRESS OF DFHXMRDS) END-EXEC
                   ADD 9 TO AT-POS
                   MOVE XMRTCL TO CA-REST(AT-POS:8)
                   ADD 9 TO AT-POS
                   MOVE XMRPRTY TO N PERFORM SHOW-N
               WHEN 'CLASS'
                   EXEC CICS EXTRACT STATISTICS TRANCLASS
                        RESID('SLOW    ')
                        SET(ADDRESS OF DFHXMCDS) END-EXEC
                   MOVE XMCTAT TO N PERFORM SHOW-N
                   MOVE XMCAI TO N PERFORM SHOW-N
                   MOVE XMCMXT TO N PERFORM SHOW-N
                   MOVE XMCTH TO N PERFORM SHOW-N
                   MOVE XMCPAT TO N PERFORM SHOW-N
                   MOVE XMCTAMA TO N PERFORM SHOW-N
               WHEN 'PROGRAM'
                   MOVE DFHVALUE(PROGRAM) TO C
                   EXEC CICS EXTRACT STATISTICS RESTYPE(C)
                        RESID('USES    ')
                        SET(ADDRESS OF DFHLDRDS) END-EXEC
                   MOVE LDRTU TO N PERFORM SHOW-N
               WHEN 'FILE'
                   EXEC CICS COLLECT STATISTICS FILE('ITEMS')
                        SET(ADDRESS OF DFHA17DS) END-EXEC
                   MOVE A17DSRD TO N PERFORM SHOW-N
                   MOVE A17DSGU TO N PERFORM SHOW-N
                   MOVE A17DSBR TO N PERFORM SHOW-N
                   MOVE A17DSWRA TO N PERFORM SHOW-N
                   MOVE A17DSWRU TO N PERFORM SHOW-N
                   MOVE A17DSDEL TO N PERFORM SHOW-N
                   MOVE A17DSNAM TO CA-REST(AT-POS:10)
               WHEN 'TDQ'
                   EXEC CICS EXTRACT STATISTICS TDQUEUE
                        RESID('TRIG') SET(ADDRESS OF DFHTQRDS) END-EXEC
                   MOVE TQRWRITE TO N PERFORM SHOW-N
                   MOVE TQRREAD TO N PERFORM SHOW-N
                   MOVE TQRDELET TO N PERFORM SHOW-N
                   MOVE TQRTRIGL TO N PERFORM SHOW-N
                   MOVE TQRTRIGN TO N PERFORM SHOW-N
                   MOVE TQRCNITM TO N PERFORM SHOW-N
                   MOVE TQRQID TO CA-REST(AT-POS:4)
                   ADD 5 TO AT-POS
                   MOVE TQRATRAN TO CA-REST(AT-POS:4)
                   MOVE 'TRIG' TO TDQ-NAME
                   EXEC CICS COLLECT STATISTICS TDQUEUE(TDQ-NAME)
                        SET(ADDRESS OF DFHTQRDS) END-EXEC
                   IF TQRWRITE NOT = 3
                       MOVE 'COLLECT DIFFERS' TO CA-REST
                   END-IF
               WHEN 'NOTDQ'
                   EXEC CICS COLLECT STATISTICS TDQUEUE('NONE')
                        SET(ADDRESS OF DFHTQRDS) RESP(R) RESP2(R2)
                        END-EXEC
                   PERFORM SHOW-R
               WHEN 'NOFILE'
                   EXEC CICS COLLECT STATISTICS FILE('NOFILE')
                        SET(ADDRESS OF DFHA17DS) RESP(R) RESP2(R2)
                        END-EXEC
                   PERFORM SHOW-R
               WHEN 'NOTSO'
                   EXEC CICS COLLECT STATISTICS PROGRAM
                        SET(ADDRESS OF DFHLDRDS) RESP(R) RESP2(R2)
                        END-EXEC
                   PERFORM SHOW-R
               WHEN 'RESET'
                   EXEC CICS PERFORM STATISTICS RECORD ALL RESETNOW
                        END-EXEC
               WHEN 'FILES'
                   EXEC CICS PERFORM STATISTICS RECORD FILE END-EXEC
               WHEN 'ASK'
                   EXEC CICS INQUIRE STATISTICS RECORDING(C)
                        INTERVAL(T) ENDOFDAYHRS(N) INTERVALMINS(M)
                        END-EXEC
                   IF C = DFHVALUE(ON)
                       MOVE 'ON' TO CA-REST
                   ELSE
                       MOVE 'OFF' TO CA-REST
                   END-IF
                   MOVE 5 TO AT-POS
                   PERFORM SHOW-N
                   MOVE M TO N PERFORM SHOW-N
                   MOVE T TO N PERFORM SHOW-N
               WHEN 'SET'
                   EXEC CICS SET STATISTICS ON INTERVALMINS(90)
                        ENDOFDAY(000500) END-EXEC
               WHEN 'SETBAD'
                   EXEC CICS SET STATISTICS INTERVALSECS(59)
                        RESP(R) RESP2(R2) END-EXEC
                   PERFORM SHOW-R
               WHEN 'SETBAD2'
                   EXEC CICS SET STATISTICS ENDOFDAY(240000)
                        RESP(R) RESP2(R2) END-EXEC
                   PERFORM SHOW-R
           END-EVALUATE.
           MOVE SPACES TO CA-WHAT.
           GOBACK.
       SHOW-N.
           MOVE N TO SHOW.
           MOVE SHOW TO CA-REST(AT-POS:6).
           ADD 6 TO AT-POS.
       SHOW-R.
           MOVE R TO N PERFORM SHOW-N.
           MOVE R2 TO N PERFORM SHOW-N.
