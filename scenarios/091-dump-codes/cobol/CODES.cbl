       IDENTIFICATION DIVISION.
       PROGRAM-ID. CODES.
      * Dumps, and what the transaction dump table says of them.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  R      PIC S9(8) COMP.
       01  R2     PIC S9(8) COMP.
       01  CUR    PIC S9(8) COMP.
       01  MX     PIC S9(8) COMP.
       01  TD     PIC S9(8) COMP.
       01  SDP    PIC S9(8) COMP.
       01  ACT    PIC S9(8) COMP.
       01  COD    PIC X(4).
       01  SHOW   PIC ZZ9.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-WHAT PIC X(8).
           05 CA-REST PIC X(52).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 0 TO R R2.
           EVALUATE CA-WHAT
               WHEN 'DUMP'
                   EXEC CICS DUMP TRANSACTION DUMPCODE('MINE') RESP(R)
                        RESP2(R2) END-EXEC
               WHEN 'ADD'
                   EXEC CICS SET TRANDUMPCODE('MINE') ADD MAXIMUM(2)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'NONE'
                   EXEC CICS SET TRANDUMPCODE('MINE') NOTRANDUMP
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'SOME'
                   MOVE DFHVALUE(TRANDUMP) TO TD
                   EXEC CICS SET TRANDUMPCODE('MINE') TRANDUMPING(TD)
                        NOSYSDUMP MAXIMUM(5) RESP(R) RESP2(R2) END-EXEC
               WHEN 'RESET'
                   MOVE DFHVALUE(RESET) TO ACT
                   EXEC CICS SET TRANDUMPCODE('MINE') ACTION(ACT)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'REMOVE'
                   EXEC CICS SET TRANDUMPCODE('MINE') REMOVE RESP(R)
                        RESP2(R2) END-EXEC
               WHEN 'TOOMANY'
                   EXEC CICS SET TRANDUMPCODE('MINE') MAXIMUM(1000)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'SYSTEM'
                   EXEC CICS SET TRANDUMPCODE('MINE') SYSDUMP RESP(R)
                        RESP2(R2) END-EXEC
               WHEN 'BROWSE'
                   EXEC CICS INQUIRE TRANDUMPCODE START END-EXEC
                   EXEC CICS INQUIRE TRANDUMPCODE(COD) NEXT RESP(R)
                        END-EXEC
                   EXEC CICS INQUIRE TRANDUMPCODE END END-EXEC
                   MOVE COD TO CA-REST
                   EXEC CICS RETURN END-EXEC
           END-EVALUATE.
           MOVE SPACES TO DFHCOMMAREA.
           IF R NOT = 0
               MOVE R TO SHOW
               STRING 'RESP ' SHOW DELIMITED BY SIZE INTO CA-REST
               MOVE R2 TO SHOW
               MOVE SHOW TO CA-REST(10:3)
               EXEC CICS RETURN END-EXEC
           END-IF.
           EXEC CICS INQUIRE TRANDUMPCODE('MINE') CURRENT(CUR)
                MAXIMUM(MX) TRANDUMPING(TD) SYSDUMPING(SDP)
                RESP(R) RESP2(R2) END-EXEC.
           IF R NOT = 0
               MOVE 'NOT IN THE TABLE' TO CA-REST
               EXEC CICS RETURN END-EXEC
           END-IF.
           MOVE CUR TO SHOW.
           MOVE SHOW TO CA-REST(1:3).
           MOVE MX TO SHOW.
           MOVE SHOW TO CA-REST(5:3).
           MOVE 'NOTRANDUMP' TO CA-REST(9:).
           IF TD = DFHVALUE(TRANDUMP) MOVE 'TRANDUMP  ' TO CA-REST(9:).
           IF SDP NOT = DFHVALUE(NOSYSDUMP) MOVE 'SYS' TO CA-REST(20:).
           EXEC CICS RETURN END-EXEC.
