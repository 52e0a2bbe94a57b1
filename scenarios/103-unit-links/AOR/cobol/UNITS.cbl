       IDENTIFICATION DIVISION.
       PROGRAM-ID. UNITS.
      * Writes to a file of another region and looks at the UOW link
      * that has come of it: by browse, by its token, and one that is
      * not there. As transaction SLOW it waits before it ends.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  RC2 PIC S9(8) COMP VALUE 0.
       01  N PIC 9 VALUE 0.
       01  TOKEN PIC X(4).
       01  AGAIN PIC X(4).
       01  W-UNIT PIC X(16).
       01  W-UNIT2 PIC X(16).
       01  NET PIC X(8).
       01  SYS PIC X(4).
       01  HOSTED PIC X(255).
       01  ROLE PIC S9(8) COMP.
       01  KIND PIC S9(8) COMP.
       01  PROT PIC S9(8) COMP.
       01  STAT PIC S9(8) COMP.
       01  REC.
           05 REC-KEY PIC X(4) VALUE 'K001'.
           05 REC-DATA PIC X(16) VALUE 'both'.
       01  SHOWN.
           05 S-N PIC 9.
           05 FILLER PIC X VALUE SPACE.
           05 S-ROLE PIC X(4).
           05 S-NET PIC X(9).
           05 S-SYS PIC X(5).
           05 S-KIND PIC X(4).
           05 S-STAT PIC X(3).
           05 S-RC PIC 999.
           05 FILLER PIC X VALUE SPACE.
           05 S-RC2 PIC 999.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-WHAT PIC X(8).
           05 FILLER PIC X(52).
       PROCEDURE DIVISION.
       MAIN-LINE.
           IF EIBTRNID = 'SLOW'
             MOVE 'K002' TO REC-KEY
             EXEC CICS WRITE FILE('DATA') FROM(REC) RIDFLD(REC-KEY)
               END-EXEC
             EXEC CICS WRITEQ TS QUEUE('BEGUN') FROM(REC) END-EXEC
             EXEC CICS DELAY FOR SECONDS(60) END-EXEC
             EXEC CICS RETURN END-EXEC
           END-IF.
           IF CA-WHAT = 'SLOW'
             EXEC CICS START TRANSID('SLOW') END-EXEC
             EXEC CICS RETURN END-EXEC
           END-IF.
           IF CA-WHAT = 'BEGUN'
             EXEC CICS READQ TS QUEUE('BEGUN') INTO(REC) RESP(RC)
               END-EXEC
             MOVE RC TO S-RC
             MOVE SPACES TO DFHCOMMAREA
             MOVE S-RC TO DFHCOMMAREA
             EXEC CICS RETURN END-EXEC
           END-IF.
           EXEC CICS WRITE FILE('DATA') FROM(REC) RIDFLD(REC-KEY)
             END-EXEC.
           EXEC CICS INQUIRE UOWLINK START END-EXEC.
           PERFORM UNTIL RC NOT = 0
             EXEC CICS INQUIRE UOWLINK(AGAIN) NEXT LINK(NET)
               SYSID(SYS) ROLE(ROLE) TYPE(KIND) PROTOCOL(PROT)
               RESYNCSTATUS(STAT) UOW(W-UNIT) HOST(HOSTED)
               RESP(RC) RESP2(RC2) END-EXEC
             IF RC = 0
               ADD 1 TO N
               MOVE AGAIN TO TOKEN
             END-IF
           END-PERFORM.
           EXEC CICS INQUIRE UOWLINK END END-EXEC.
           MOVE N TO S-N.
           MOVE NET TO S-NET.
           MOVE SYS TO S-SYS.
           IF ROLE = DFHVALUE(SUBORDINATE) MOVE 'SUB' TO S-ROLE END-IF.
           IF KIND = DFHVALUE(CONNECTION) AND PROT = DFHVALUE(IRC)
             MOVE 'IRC' TO S-KIND
           END-IF.
           IF STAT = DFHVALUE(OK) MOVE 'OK' TO S-STAT END-IF.
      * By its token it is the same one.
           EXEC CICS INQUIRE UOWLINK(TOKEN) UOW(W-UNIT2) END-EXEC.
           IF W-UNIT2 NOT = W-UNIT OR RC2 NOT = 2
             MOVE 'WRONG' TO S-NET
           END-IF.
           EXEC CICS INQUIRE TASK(EIBTASKN) UOW(W-UNIT2) END-EXEC.
           IF W-UNIT2 (1:8) NOT = W-UNIT (1:8)
             MOVE 'OTHER' TO S-NET
           END-IF.
           EVALUATE CA-WHAT
             WHEN 'NONE'
               MOVE X'FFFFFFFF' TO TOKEN
               EXEC CICS INQUIRE UOWLINK(TOKEN) ROLE(ROLE)
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'DELETE'
               EXEC CICS SET UOWLINK(TOKEN) DELETE
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'ACTION'
               EXEC CICS SET UOWLINK(TOKEN) ACTION(RC2)
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'UNIT'
               MOVE LOW-VALUES TO W-UNIT
               EXEC CICS INQUIRE UOWLINK START UOW(W-UNIT)
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'TWICE'
               EXEC CICS INQUIRE UOWLINK START UOW(W-UNIT) END-EXEC
               EXEC CICS INQUIRE UOWLINK START
                 RESP(RC) RESP2(RC2) END-EXEC
           END-EVALUATE.
           MOVE RC TO S-RC.
           MOVE RC2 TO S-RC2.
           EXEC CICS SYNCPOINT ROLLBACK END-EXEC.
           MOVE SHOWN TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
