       CBL CICS('SP,EDF'),TRUNC(STD)
       IDENTIFICATION DIVISION.
       PROGRAM-ID. ASKSUB.
       AUTHOR. O'NOBODY.
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-RESP              PIC S9(8) COMP.
       01  WS-RESP2             PIC S9(8) COMP.
       01  WS-NAME              PIC X(8).
       01  WS-LEN               PIC S9(4) COMP VALUE 9.
       01  WS-TABLE.
           05  WS-ROW OCCURS 3 TIMES INDEXED BY WS-I.
               10  WS-CELL      PIC X(4).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-COUNT         PIC S9(8) COMP.
           05  CA-TEXT          PIC X(20).
       PROCEDURE DIVISION.
       MAIN-SECTION SECTION.
       MAIN-1.
           MOVE 7 TO RETURN-CODE.
           EXEC CICS ASSIGN PROGRAM(WS-NAME)
                            RESP(WS-RESP) RESP2(WS-RESP2)
           END-EXEC.
           IF WS-RESP NOT = DFHRESP(NORMAL)
              EXEC CICS ABEND ABCODE('ASK1') NODUMP END-EXEC
           END-IF
           SET WS-I TO 2
           EXEC CICS LINK PROGRAM('SUBPROG')
      *         the row is passed in part
                COMMAREA(WS-CELL(WS-I)(1:3)) LENGTH(WS-LEN - 6)
           END-EXEC.
           EVALUATE EIBRESP
              WHEN DFHRESP(NORMAL) ADD 1 TO CA-COUNT
              WHEN DFHRESP(PGMIDERR) MOVE 'NONE' TO CA-TEXT
           END-EVALUATE.
           EXEC CICS RETURN END-EXEC.
