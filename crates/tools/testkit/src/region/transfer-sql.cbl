      * Moves money from a record of a file to a row of a table, notes
      * it in a second file, a second table and in queues, and ends as
      * it is told.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. TRANSFER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  ACCOUNT.
           05 ACC-KEY PIC X(4).
           05 ACC-BALANCE PIC S9(9) SIGN LEADING SEPARATE.
           05 FILLER PIC X(26).
       01  NOTE-REC.
           05 NOTE-KEY PIC X(8).
           05 NOTE-FROM PIC X(4).
           05 NOTE-TO PIC X(4).
           05 NOTE-AMOUNT PIC 9(4).
           05 FILLER PIC X(20) VALUE SPACES.
       01  N PIC 9(4).
       01  ROW-NO PIC S9(9) COMP.
       01  AMOUNT-N PIC S9(9) COMP.
       01  TS-NAME PIC X(8) VALUE 'TORT'.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 HOW PIC X.
           05 NUMBER-F PIC X(8).
           05 FROM-F PIC X(4).
           05 TO-F PIC X(4).
           05 AMOUNT PIC 9(4).
           05 ANS PIC X(2).
       PROCEDURE DIVISION.
           IF HOW = 'I' PERFORM FILL-BOOKS
             MOVE 'OK' TO ANS
             EXEC CICS RETURN END-EXEC
           END-IF.
           EXEC CICS READ FILE('ACCTA') INTO(ACCOUNT) RIDFLD(FROM-F)
                UPDATE END-EXEC.
           SUBTRACT AMOUNT FROM ACC-BALANCE.
           EXEC CICS REWRITE FILE('ACCTA') FROM(ACCOUNT) END-EXEC.
           MOVE TO-F TO N.
           MOVE N TO ROW-NO.
           MOVE AMOUNT TO AMOUNT-N.
           EXEC SQL UPDATE ACCTB SET BALANCE = BALANCE + :AMOUNT-N
                WHERE NO = :ROW-NO END-EXEC.
           PERFORM CHECK-SQL.
           EXEC SQL INSERT INTO JOURNAL (NO, AMOUNT)
                VALUES (:NUMBER-F, :AMOUNT-N) END-EXEC.
           PERFORM CHECK-SQL.
           MOVE NUMBER-F TO NOTE-KEY.
           MOVE FROM-F TO NOTE-FROM.
           MOVE TO-F TO NOTE-TO.
           MOVE AMOUNT TO NOTE-AMOUNT.
           EXEC CICS WRITE FILE('NOTES') FROM(NOTE-REC)
                RIDFLD(NOTE-KEY) END-EXEC.
           EXEC CICS WRITEQ TD QUEUE('TORT') FROM(NOTE-REC)
                LENGTH(8) END-EXEC.
      * A queue takes 32,767 items; the thousands choose one of ten.
           MOVE NUMBER-F (5:1) TO TS-NAME (5:1).
           EXEC CICS WRITEQ TS QUEUE(TS-NAME) FROM(NOTE-REC)
                LENGTH(8) END-EXEC.
           EVALUATE HOW
             WHEN 'A' EXEC CICS ABEND ABCODE('TORT') END-EXEC
             WHEN 'R' EXEC CICS SYNCPOINT ROLLBACK END-EXEC
                      MOVE 'RB' TO ANS
             WHEN OTHER EXEC CICS SYNCPOINT END-EXEC
                      MOVE 'OK' TO ANS
           END-EVALUATE.
           EXEC CICS RETURN END-EXEC.
      * A server that is away, or that was: nothing may be left of it.
       CHECK-SQL.
           IF SQLCODE NOT = 0
             EXEC CICS SYNCPOINT ROLLBACK END-EXEC
             MOVE 'RB' TO ANS
             EXEC CICS RETURN END-EXEC
           END-IF.
       FILL-BOOKS.
           PERFORM VARYING N FROM 0 BY 1 UNTIL N > 19
             MOVE SPACES TO ACCOUNT
             MOVE N TO ACC-KEY
             MOVE 0 TO ACC-BALANCE
             EXEC CICS WRITE FILE('ACCTA') FROM(ACCOUNT)
                  RIDFLD(ACC-KEY) NOHANDLE END-EXEC
             MOVE N TO ROW-NO
             EXEC SQL INSERT INTO ACCTB VALUES (:ROW-NO, 0) END-EXEC
             IF SQLCODE NOT = 0 AND SQLCODE NOT = -803
               EXEC CICS ABEND ABCODE('FILL') END-EXEC
             END-IF
           END-PERFORM.
           EXEC CICS SYNCPOINT END-EXEC.
