       IDENTIFICATION DIVISION.
       PROGRAM-ID. RTWFILE.
      * A transaction of the RTW with a record of a file beside it:
      * F changes it in the same unit of work, N reads it only.
      * 1 makes one SQL call, 0 makes none.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  KEY-N            PIC S9(9) COMP.
       01  ROW-NAME         PIC X(20).
       01  REC-KEY          PIC X(8).
       01  REC.
           05  R-KEY        PIC X(8).
           05  R-COUNT      PIC 9(8).
           05  FILLER       PIC X(84) VALUE SPACES.
       01  RESP-N           PIC S9(8) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-NUMBER    PIC 9(8).
           05  CA-WHAT      PIC X.
           05  CA-PROGRAM   PIC X(4).
           05  FILLER       PIC X(47).
       PROCEDURE DIVISION.
           IF CA-WHAT = '1'
             MOVE CA-NUMBER TO KEY-N
             EXEC SQL
               SELECT NAME INTO :ROW-NAME
                 FROM CUSTOMER WHERE ID = :KEY-N
             END-EXEC
             IF SQLCODE NOT = 0
               EXEC CICS ABEND ABCODE('RTWF') END-EXEC
             END-IF
           END-IF.
           IF CA-WHAT = 'F' OR CA-WHAT = 'N'
             PERFORM BESIDE
             MOVE CA-PROGRAM TO ROW-NAME
             EXEC CICS LINK PROGRAM(ROW-NAME)
               COMMAREA(DFHCOMMAREA) LENGTH(60) END-EXEC
           END-IF.
           EXEC CICS RETURN END-EXEC.
      * The SYNCPOINT is that of the transaction.
       BESIDE.
           MOVE CA-NUMBER TO REC-KEY.
           IF CA-WHAT = 'N'
             EXEC CICS READ FILE('RTWNOTES') INTO(REC)
               RIDFLD(REC-KEY) RESP(RESP-N) END-EXEC
           ELSE
             EXEC CICS READ FILE('RTWNOTES') INTO(REC)
               RIDFLD(REC-KEY) UPDATE RESP(RESP-N) END-EXEC
             IF RESP-N = DFHRESP(NORMAL)
               ADD 1 TO R-COUNT
               EXEC CICS REWRITE FILE('RTWNOTES') FROM(REC) END-EXEC
             ELSE
               MOVE REC-KEY TO R-KEY
               MOVE 1 TO R-COUNT
               EXEC CICS WRITE FILE('RTWNOTES') FROM(REC)
                 RIDFLD(REC-KEY) END-EXEC
             END-IF
           END-IF.
