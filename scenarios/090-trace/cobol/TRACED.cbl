       IDENTIFICATION DIVISION.
       PROGRAM-ID. TRACED.
      * Switches the trace, and leaves entries in it.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  R      PIC S9(8) COMP.
       01  R2     PIC S9(8) COMP.
       01  AUX    PIC S9(8) COMP.
       01  INT    PIC S9(8) COMP.
       01  SW     PIC S9(8) COMP.
       01  GTF    PIC S9(8) COMP.
       01  ONE    PIC S9(8) COMP.
       01  SYS    PIC S9(8) COMP.
       01  USR    PIC S9(8) COMP.
       01  DS     PIC X.
       01  LV-ON  PIC X(4) VALUE X'80000000'.
       01  LV-OFF PIC X(4) VALUE X'00000000'.
       01  LV-EI  PIC X(4).
       01  LV-FC  PIC X(4).
       01  SHOW   PIC ZZ9.
       01  ITEM   PIC X(40) VALUE 'what a program says of itself'.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-WHAT PIC X(8).
           05 CA-REST PIC X(52).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 0 TO R R2.
           EVALUATE CA-WHAT
               WHEN 'AUXON'
                   EXEC CICS SET TRACEDEST AUXSTART RESP(R) RESP2(R2)
                        END-EXEC
               WHEN 'AUXOFF'
                   EXEC CICS SET TRACEDEST AUXSTOP RESP(R) RESP2(R2)
                        END-EXEC
               WHEN 'PAUSE'
                   MOVE DFHVALUE(AUXPAUSE) TO AUX
                   EXEC CICS SET TRACEDEST AUXSTATUS(AUX) RESP(R)
                        RESP2(R2) END-EXEC
               WHEN 'SWITCH'
                   EXEC CICS SET TRACEDEST SWITCH SWITCHNEXT RESP(R)
                        RESP2(R2) END-EXEC
               WHEN 'WRONG'
                   MOVE 4711 TO AUX
                   EXEC CICS SET TRACEDEST AUXSTATUS(AUX) RESP(R)
                        RESP2(R2) END-EXEC
               WHEN 'GTF'
                   EXEC CICS SET TRACEDEST GTFSTART RESP(R)
                        RESP2(R2) END-EXEC
               WHEN 'NOUSER'
                   EXEC CICS SET TRACEFLAG USEROFF RESP(R)
                        RESP2(R2) END-EXEC
               WHEN 'USER'
                   EXEC CICS SET TRACEFLAG USERON RESP(R)
                        RESP2(R2) END-EXEC
               WHEN 'NOEI'
                   EXEC CICS SET TRACETYPE STANDARD EI(LV-OFF)
                        FC(LV-OFF) RESP(R) RESP2(R2) END-EXEC
               WHEN 'EI'
                   EXEC CICS SET TRACETYPE STANDARD EI(LV-ON)
                        FC(LV-ON) RESP(R) RESP2(R2) END-EXEC
               WHEN 'SPECIAL'
                   EXEC CICS SET TRACETYPE SPECIAL EI(LV-ON)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'WORK'
                   EXEC CICS ENTER TRACENUM(7) RESOURCE('MYSELF')
                        FROM(ITEM) FROMLENGTH(40) RESP(R) RESP2(R2)
                        END-EXEC
                   IF R = 0
                       EXEC CICS READQ TS QUEUE('NOTHERE') INTO(ITEM)
                            RESP(AUX) END-EXEC
                   END-IF
               WHEN 'QUIET'
                   EXEC CICS SET TRACEFLAG SINGLEOFF END-EXEC
                   EXEC CICS ASKTIME END-EXEC
                   EXEC CICS ENTER TRACENUM(9) EXCEPTION END-EXEC
                   EXEC CICS SET TRACEFLAG SINGLEON END-EXEC
               WHEN 'FAIL'
                   EXEC CICS ABEND ABCODE('T090') END-EXEC
               WHEN 'TYPES'
                   EXEC CICS INQUIRE TRACETYPE STANDARD EI(LV-EI)
                        FC(LV-FC) RESP(R) RESP2(R2) END-EXEC
                   MOVE SPACES TO CA-REST
                   IF LV-EI = LV-ON MOVE 'EI' TO CA-REST
                   END-IF
                   IF LV-FC = LV-ON MOVE 'FC' TO CA-REST(4:)
                   END-IF
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
           EXEC CICS INQUIRE TRACEDEST AUXSTATUS(AUX) INTSTATUS(INT)
                SWITCHSTATUS(SW) CURAUXDS(DS) GTFSTATUS(GTF)
                END-EXEC.
           EXEC CICS INQUIRE TRACEFLAG SINGLESTATUS(ONE)
                SYSTEMSTATUS(SYS) USERSTATUS(USR) END-EXEC.
           EVALUATE AUX
               WHEN DFHVALUE(AUXSTART) MOVE 'AUXSTART' TO CA-WHAT
               WHEN DFHVALUE(AUXPAUSE) MOVE 'AUXPAUSE' TO CA-WHAT
               WHEN DFHVALUE(AUXSTOP)  MOVE 'AUXSTOP' TO CA-WHAT
           END-EVALUATE.
           MOVE DS TO CA-REST(2:).
           EVALUATE SW
               WHEN DFHVALUE(SWITCHALL)  MOVE 'ALL' TO CA-REST(4:)
               WHEN DFHVALUE(SWITCHNEXT) MOVE 'NEXT' TO CA-REST(4:)
           END-EVALUATE.
           IF INT = DFHVALUE(INTSTART) MOVE 'INT' TO CA-REST(9:).
           IF GTF = DFHVALUE(GTFSTOP) MOVE 'NOGTF' TO CA-REST(13:).
           IF ONE = DFHVALUE(SINGLEON) MOVE 'SINGLE' TO CA-REST(19:).
           IF SYS = DFHVALUE(SYSTEMON) MOVE 'SYSTEM' TO CA-REST(26:).
           IF USR = DFHVALUE(USERON) MOVE 'USER' TO CA-REST(33:).
           EXEC CICS RETURN END-EXEC.
