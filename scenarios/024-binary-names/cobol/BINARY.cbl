       IDENTIFICATION DIVISION.
       PROGRAM-ID. BINARY.
      * Names of queues with binary parts: X'0001' and X'2001', and one
      * that ends with X'00', are three queues.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP.
       01  I PIC S9(4) COMP.
       01  L PIC S9(4) COMP.
       01  N PIC S9(4) COMP.
       01  D PIC X.
       01  NAMES.
           05 FILLER PIC X(6) VALUE 'BINARY'.
           05 FILLER PIC X(2) VALUE X'0001'.
           05 FILLER PIC X(6) VALUE 'BINARY'.
           05 FILLER PIC X(2) VALUE X'2001'.
           05 FILLER PIC X(6) VALUE 'BINARY'.
           05 FILLER PIC X(2) VALUE X'0100'.
       01  FILLER REDEFINES NAMES.
           05 QNAME PIC X(8) OCCURS 3.
       01  LOWS PIC X(8) VALUE LOW-VALUES.
       01  SAID PIC X(9) VALUE SPACES.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 3
              MOVE I TO N
              ADD 192 TO N
              MOVE FUNCTION CHAR(N + 1) TO D
              EXEC CICS WRITEQ TS QUEUE(QNAME(I)) FROM(D) LENGTH(1)
                   END-EXEC
           END-PERFORM.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 3
              MOVE 1 TO L
              MOVE '-' TO D
              EXEC CICS READQ TS QUEUE(QNAME(I)) INTO(D) LENGTH(L)
                   ITEM(1) RESP(RC) END-EXEC
              MOVE D TO SAID(I:1)
              EXEC CICS INQUIRE TSQUEUE(QNAME(I)) NUMITEMS(N)
                   RESP(RC) END-EXEC
              IF RC = 0 AND N = 1
                 MOVE '1' TO SAID(I + 3:1)
              END-IF
              EXEC CICS DELETEQ TS QUEUE(QNAME(I)) RESP(RC) END-EXEC
              IF RC = 0 MOVE 'D' TO SAID(I + 6:1) END-IF
           END-PERFORM.
           EXEC CICS WRITEQ TS QUEUE(LOWS) FROM(D) LENGTH(1)
                RESP(RC) END-EXEC.
           MOVE SPACES TO CA-TEXT.
           STRING SAID DELIMITED BY SIZE INTO CA-TEXT.
           IF RC = DFHRESP(INVREQ) MOVE ' INVREQ' TO CA-TEXT(10:7).
           EXEC CICS RETURN END-EXEC.
