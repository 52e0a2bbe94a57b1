       IDENTIFICATION DIVISION.
       PROGRAM-ID. DB2DEMO.
      * SQL, and what is installed for it: a function for each word in
      * the COMMAREA.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
           EXEC SQL BEGIN DECLARE SECTION END-EXEC.
       01  AMOUNT PIC S9(9) COMP.
           EXEC SQL END DECLARE SECTION END-EXEC.
       01  RC PIC S9(8) COMP.
       01  RC2 PIC S9(8) COMP.
       01  CONNECTION-STATE PIC S9(8) COMP.
       01  THREADS PIC S9(8) COMP.
       01  STATE PIC S9(8) COMP.
       01  A-NAME PIC X(8) VALUE SPACES.
       01  A-TRANSID PIC X(4).
       01  T PIC X(52).
       01  L PIC S9(4) COMP.
       01  ANSWER.
           05  SHOWN-CODE   PIC -(5)9.
           05  FILLER       PIC X VALUE SPACE.
           05  SHOWN-NUMBER PIC -(5)9.
           05  FILLER       PIC X VALUE SPACE.
           05  SHOWN-TEXT   PIC X(46).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-WHAT PIC X(8).
           05  CA-TEXT PIC X(52).
       PROCEDURE DIVISION.
           MOVE SPACES TO SHOWN-TEXT.
           MOVE 0 TO RC RC2.
           EVALUATE CA-WHAT
             WHEN 'SELECT'
               EXEC SQL SELECT AMOUNT INTO :AMOUNT FROM PAY
                 WHERE NUMBER = 1 END-EXEC
               PERFORM SHOW-SQL
             WHEN 'UPDATE'
               EXEC SQL UPDATE PAY SET AMOUNT = AMOUNT + 1
                 WHERE NUMBER = 1 END-EXEC
               PERFORM SHOW-SQL
             WHEN 'HOLD'
               EXEC CICS START TRANSID('HOLD') END-EXEC
               PERFORM SHOW-RESP
             WHEN 'HELD'
               EXEC CICS READQ TS QUEUE('HELD') INTO(A-NAME) ITEM(1)
                 RESP(RC) RESP2(RC2) END-EXEC
               PERFORM SHOW-RESP
             WHEN 'RELEASE'
               EXEC CICS WRITEQ TS QUEUE('GO') FROM(A-NAME)
                 RESP(RC) RESP2(RC2) END-EXEC
               PERFORM SHOW-RESP
             WHEN 'CONN'
               EXEC CICS INQUIRE DB2CONN CONNECTST(CONNECTION-STATE)
                 THREADLIMIT(THREADS) PLANEXITNAME(A-NAME)
                 RESP(RC) RESP2(RC2) END-EXEC
               MOVE A-NAME TO SHOWN-TEXT
               IF CONNECTION-STATE = DFHVALUE(CONNECTED)
                 MOVE 'CONNECTED' TO SHOWN-TEXT(10:12)
               END-IF
               IF CONNECTION-STATE = DFHVALUE(NOTCONNECTED)
                 MOVE 'NOTCONNECTED' TO SHOWN-TEXT(10:12)
               END-IF
               EXEC CICS INQUIRE SYSTEM DB2CONN(A-NAME) END-EXEC
               MOVE A-NAME TO SHOWN-TEXT(24:8)
               PERFORM SHOW-RESP
             WHEN 'OFF'
               EXEC CICS SET DB2CONN NOTCONNECTED
                 RESP(RC) RESP2(RC2) END-EXEC
               PERFORM SHOW-RESP
             WHEN 'FORCE'
               EXEC CICS SET DB2CONN NOTCONNECTED FORCE
                 RESP(RC) RESP2(RC2) END-EXEC
               PERFORM SHOW-RESP
             WHEN 'ON'
               MOVE DFHVALUE(CONNECTED) TO CONNECTION-STATE
               EXEC CICS SET DB2CONN CONNECTST(CONNECTION-STATE)
                 RESP(RC) RESP2(RC2) END-EXEC
               PERFORM SHOW-RESP
             WHEN 'ENTRY'
               EXEC CICS INQUIRE DB2ENTRY('PAYENTRY')
                 ENABLESTATUS(STATE) THREADLIMIT(THREADS) PLAN(A-NAME)
                 RESP(RC) RESP2(RC2) END-EXEC
               MOVE A-NAME TO SHOWN-TEXT
               IF STATE = DFHVALUE(ENABLED)
                 MOVE 'ENABLED' TO SHOWN-TEXT(10:8)
               END-IF
               PERFORM SHOW-RESP
             WHEN 'DISABLE'
               MOVE DFHVALUE(POOL) TO STATE
               IF CA-TEXT = 'ABEND'
                 MOVE DFHVALUE(ABEND) TO STATE
               END-IF
               IF CA-TEXT = 'SQLCODE'
                 MOVE DFHVALUE(SQLCODE) TO STATE
               END-IF
               EXEC CICS SET DB2ENTRY('PAYENTRY') DISABLED
                 DISABLEDACT(STATE) RESP(RC) RESP2(RC2) END-EXEC
               PERFORM SHOW-RESP
             WHEN 'ENABLE'
               EXEC CICS SET DB2ENTRY('PAYENTRY') ENABLED
                 RESP(RC) RESP2(RC2) END-EXEC
               PERFORM SHOW-RESP
             WHEN 'TRANS'
               EXEC CICS INQUIRE DB2TRAN START END-EXEC
               MOVE 1 TO L
               PERFORM UNTIL RC NOT = 0
                 EXEC CICS INQUIRE DB2TRAN(A-NAME) NEXT
                   TRANSID(A-TRANSID) RESP(RC) RESP2(RC2) END-EXEC
                 IF RC = 0
                   MOVE A-NAME TO SHOWN-TEXT(L:8)
                   MOVE A-TRANSID TO SHOWN-TEXT(L + 9:4)
                   ADD 15 TO L
                 END-IF
               END-PERFORM
               EXEC CICS INQUIRE DB2TRAN END END-EXEC
               PERFORM SHOW-RESP
             WHEN 'MOVE'
               EXEC CICS SET DB2TRAN('PAY2') TRANSID(CA-TEXT)
                 RESP(RC) RESP2(RC2) END-EXEC
               PERFORM SHOW-RESP
             WHEN 'CREATE'
               MOVE CA-TEXT TO T
               MOVE 52 TO L
               EXEC CICS CREATE DB2ENTRY('MADE') ATTRIBUTES(T)
                 ATTRLEN(L) RESP(RC) RESP2(RC2) END-EXEC
               PERFORM SHOW-RESP
             WHEN 'NOENTRY'
               EXEC CICS DISCARD DB2ENTRY('PAYENTRY')
                 RESP(RC) RESP2(RC2) END-EXEC
               PERFORM SHOW-RESP
             WHEN 'NOCONN'
               EXEC CICS DISCARD DB2CONN RESP(RC) RESP2(RC2) END-EXEC
               PERFORM SHOW-RESP
           END-EVALUATE.
           MOVE ANSWER TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
       SHOW-SQL.
           MOVE SQLCODE TO SHOWN-CODE.
           MOVE 0 TO SHOWN-NUMBER.
           MOVE SQLSTATE TO SHOWN-TEXT.
           IF SQLCODE = -923
             MOVE SQLERRMC(1:40) TO SHOWN-TEXT(7:40)
             INSPECT SHOWN-TEXT REPLACING ALL X'FF' BY '/'
           END-IF.
       SHOW-RESP.
           MOVE RC TO SHOWN-CODE.
           MOVE RC2 TO SHOWN-NUMBER.
