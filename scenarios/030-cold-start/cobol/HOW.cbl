      * What there is: Q queue, T transient data, S request, C counter,
      * F record; then how the region started, and INITPARM.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. HOW.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  N PIC S9(8) COMP.
       01  D PIC X(8).
       01  K PIC X(4) VALUE 'KEY1'.
       01  L PIC S9(4) COMP.
       01  STARTUP PIC S9(8) COMP.
       01  COLD PIC S9(8) COMP.
       01  PARM PIC X(60).
       01  PARM-LENGTH PIC S9(4) COMP.
       01  SEEN.
           05 S PIC X OCCURS 5 VALUE '-'.
       01  KIND PIC X(10) VALUE 'OTHER'.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 8 TO L.
           EXEC CICS READQ TS QUEUE('SAFE1') INTO(D) LENGTH(L) ITEM(1)
                RESP(RC) END-EXEC.
           IF RC = DFHRESP(NORMAL) MOVE 'Q' TO S(1).
           EXEC CICS INQUIRE TDQUEUE('LOGQ') NUMITEMS(N) END-EXEC.
           IF N > 0 MOVE 'T' TO S(2).
           EXEC CICS INQUIRE REQID('LATER') RESP(RC) END-EXEC.
           IF RC = DFHRESP(NORMAL) MOVE 'S' TO S(3).
           EXEC CICS QUERY COUNTER('NUMBER') VALUE(N)
                RESP(RC) END-EXEC.
           IF RC = DFHRESP(NORMAL) AND N = 7 MOVE 'C' TO S(4).
           MOVE 8 TO L.
           EXEC CICS READ FILE('KEPT') INTO(D) LENGTH(L) RIDFLD(K)
                RESP(RC) END-EXEC.
           IF RC = DFHRESP(NORMAL) MOVE 'F' TO S(5).
           EXEC CICS INQUIRE SYSTEM STARTUP(STARTUP)
                COLDSTATUS(COLD) END-EXEC.
           EVALUATE TRUE
              WHEN STARTUP = DFHVALUE(WARMSTART)
                 MOVE 'WARM' TO KIND
              WHEN STARTUP = DFHVALUE(EMERGENCY)
                 MOVE 'EMERGENCY' TO KIND
              WHEN COLD = DFHVALUE(INITIAL)
                 MOVE 'INITIAL' TO KIND
              WHEN COLD = DFHVALUE(COLD)
                 MOVE 'COLD' TO KIND
           END-EVALUATE.
           EXEC CICS ASSIGN INITPARM(PARM) INITPARMLEN(PARM-LENGTH)
                END-EXEC.
           MOVE SPACES TO CA-TEXT.
           STRING SEEN ' ' DELIMITED BY SIZE KIND DELIMITED BY SPACE
                  ' ' PARM(1:PARM-LENGTH) DELIMITED BY SIZE
                  INTO CA-TEXT.
           GOBACK.
