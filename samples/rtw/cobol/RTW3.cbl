       IDENTIFICATION DIVISION.
       PROGRAM-ID. RTW3.
      * Made by ../generate. Payment:
      * 200 SQL calls for a number that a terminal or a caller gives.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  CALLS.
           05  SELECTS      PIC S9(9) COMP VALUE 0.
           05  OPENS        PIC S9(9) COMP VALUE 0.
           05  FETCHES      PIC S9(9) COMP VALUE 0.
           05  CLOSES       PIC S9(9) COMP VALUE 0.
           05  INSERTS      PIC S9(9) COMP VALUE 0.
           05  UPDATES      PIC S9(9) COMP VALUE 0.
           05  DELETES      PIC S9(9) COMP VALUE 0.
           05  ALL-CALLS    PIC S9(9) COMP VALUE 0.
       01  NUMBER-N         PIC S9(9) COMP.
       01  SPREAD           PIC S9(9) COMP.
       01  WORK-QUOTIENT    PIC S9(9) COMP.
       01  KEY-N            PIC S9(9) COMP.
       01  OWNER-N          PIC S9(9) COMP.
       01  ROUND-N          PIC S9(4) COMP.
       01  TURN-N           PIC S9(9) COMP VALUE 0.
       01  ROW-NAME         PIC X(20).
       01  ROW-AMOUNT       PIC S9(9)V99 COMP-3.
       01  ROW-SINCE        PIC X(10).
       01  LINE-N           PIC S9(4) COMP.
       01  LINE-QUANTITY    PIC S9(9) COMP.
       01  LINE-AMOUNT      PIC S9(7)V99 COMP-3.
       01  LINE-REMARK      PIC X(30).
       01  TOTAL-AMOUNT     PIC S9(13)V99 COMP-3 VALUE 0.
       01  NOTED-AMOUNT     PIC S9(9)V99 COMP-3.
       01  TRAN-ID          PIC X(4) VALUE 'RTW3'.
       01  GIVEN            PIC X(60) VALUE SPACES.
       01  GIVEN-LENGTH     PIC S9(4) COMP VALUE 60.
       01  FIRST-WORD       PIC X(8).
       01  SECOND-WORD      PIC X(8) JUST RIGHT.
       01  GIVEN-NUMBER     PIC 9(8) VALUE 0.
       01  ANSWER.
           05  FILLER       PIC X(4) VALUE 'RTW3'.
           05  FILLER       PIC X VALUE SPACE.
           05  SHOWN-NUMBER PIC 9(8).
           05  FILLER       PIC X VALUE SPACE.
           05  SHOWN-CALLS  PIC ZZ9.
           05  FILLER       PIC X(9) VALUE ' calls,'.
           05  SHOWN-TOTAL  PIC -(13)9.99.
           05  FILLER       PIC X(17) VALUE SPACES.
           EXEC SQL DECLARE LIST1 CURSOR FOR
             SELECT LINE, QUANTITY, AMOUNT, REMARK FROM INVOICE
              WHERE OWNER = :OWNER-N ORDER BY LINE
           END-EXEC.
           EXEC SQL DECLARE LIST2 CURSOR FOR
             SELECT LINE, QUANTITY, AMOUNT, REMARK FROM PAYMENT
              WHERE OWNER = :OWNER-N ORDER BY LINE
           END-EXEC.
           EXEC SQL DECLARE LIST3 CURSOR FOR
             SELECT LINE, QUANTITY, AMOUNT, REMARK FROM CONTACT
              WHERE OWNER = :OWNER-N ORDER BY LINE
           END-EXEC.
           EXEC SQL DECLARE LIST4 CURSOR FOR
             SELECT LINE, QUANTITY, AMOUNT, REMARK FROM ADDRESS
              WHERE OWNER = :OWNER-N ORDER BY LINE
           END-EXEC.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-NUMBER    PIC 9(8).
           05  FILLER       PIC X(52).
       PROCEDURE DIVISION.
           EXEC SQL WHENEVER SQLERROR GO TO SQL-FAILED END-EXEC.
           PERFORM GET-NUMBER.
           MOVE NUMBER-N TO SPREAD.
           PERFORM VARYING ROUND-N FROM 1 BY 1 UNTIL ROUND-N > 12
             PERFORM LOOK-UP
           END-PERFORM.
           PERFORM VARYING ROUND-N FROM 1 BY 1 UNTIL ROUND-N > 4
             PERFORM LISTS
           END-PERFORM.
           PERFORM CHANGES.
           EXEC CICS SYNCPOINT END-EXEC.
           COMPUTE ALL-CALLS = SELECTS + OPENS + FETCHES + CLOSES
             + INSERTS + UPDATES + DELETES.
           MOVE GIVEN-NUMBER TO SHOWN-NUMBER.
           MOVE ALL-CALLS TO SHOWN-CALLS.
           MOVE TOTAL-AMOUNT TO SHOWN-TOTAL.
           IF EIBCALEN > 0
             MOVE ANSWER TO DFHCOMMAREA
           ELSE
             EXEC CICS SEND TEXT FROM(ANSWER) LENGTH(60) ERASE FREEKB
               END-EXEC
           END-IF.
           EXEC CICS RETURN END-EXEC.
       GET-NUMBER.
           IF EIBCALEN > 0
             MOVE CA-NUMBER TO GIVEN-NUMBER
           ELSE
             EXEC CICS RECEIVE INTO(GIVEN) LENGTH(GIVEN-LENGTH)
               NOHANDLE END-EXEC
             UNSTRING GIVEN DELIMITED BY ALL SPACE
               INTO FIRST-WORD SECOND-WORD
             INSPECT SECOND-WORD REPLACING LEADING SPACE BY ZERO
             IF SECOND-WORD IS NUMERIC
               MOVE SECOND-WORD TO GIVEN-NUMBER
             END-IF
           END-IF.
           MOVE GIVEN-NUMBER TO NUMBER-N.
           DIVIDE GIVEN-NUMBER BY 1000 GIVING WORK-QUOTIENT
             REMAINDER NUMBER-N.
      * Another row for each look-up, the same ones for a number.
       NEXT-KEY.
           COMPUTE SPREAD = SPREAD * 37 + 11.
           DIVIDE SPREAD BY 1000 GIVING WORK-QUOTIENT
             REMAINDER KEY-N.
           MOVE KEY-N TO SPREAD.
       NEXT-OWNER.
           COMPUTE OWNER-N = NUMBER-N * 8 + TURN-N.
           DIVIDE OWNER-N BY 320 GIVING WORK-QUOTIENT
             REMAINDER OWNER-N.
           ADD 1 TO TURN-N.
       LOOK-UP.
           PERFORM NEXT-KEY.
           EXEC SQL
             SELECT NAME, AMOUNT, SINCE
               INTO :ROW-NAME, :ROW-AMOUNT, :ROW-SINCE
               FROM CUSTOMER WHERE ID = :KEY-N
           END-EXEC.
           ADD 1 TO SELECTS.
           ADD ROW-AMOUNT TO TOTAL-AMOUNT.
           PERFORM NEXT-KEY.
           EXEC SQL
             SELECT NAME, AMOUNT, SINCE
               INTO :ROW-NAME, :ROW-AMOUNT, :ROW-SINCE
               FROM DISTRICT WHERE ID = :KEY-N
           END-EXEC.
           ADD 1 TO SELECTS.
           ADD ROW-AMOUNT TO TOTAL-AMOUNT.
           PERFORM NEXT-KEY.
           EXEC SQL
             SELECT NAME, AMOUNT, SINCE
               INTO :ROW-NAME, :ROW-AMOUNT, :ROW-SINCE
               FROM WAREHOUSE WHERE ID = :KEY-N
           END-EXEC.
           ADD 1 TO SELECTS.
           ADD ROW-AMOUNT TO TOTAL-AMOUNT.
           PERFORM NEXT-KEY.
           EXEC SQL
             SELECT NAME, AMOUNT, SINCE
               INTO :ROW-NAME, :ROW-AMOUNT, :ROW-SINCE
               FROM DISCOUNT WHERE ID = :KEY-N
           END-EXEC.
           ADD 1 TO SELECTS.
           ADD ROW-AMOUNT TO TOTAL-AMOUNT.
           PERFORM NEXT-KEY.
           EXEC SQL
             SELECT NAME, AMOUNT, SINCE
               INTO :ROW-NAME, :ROW-AMOUNT, :ROW-SINCE
               FROM TAX WHERE ID = :KEY-N
           END-EXEC.
           ADD 1 TO SELECTS.
           ADD ROW-AMOUNT TO TOTAL-AMOUNT.
           PERFORM NEXT-KEY.
           EXEC SQL
             SELECT NAME, AMOUNT, SINCE
               INTO :ROW-NAME, :ROW-AMOUNT, :ROW-SINCE
               FROM CURRENCY WHERE ID = :KEY-N
           END-EXEC.
           ADD 1 TO SELECTS.
           ADD ROW-AMOUNT TO TOTAL-AMOUNT.
           PERFORM NEXT-KEY.
           EXEC SQL
             SELECT NAME, AMOUNT, SINCE
               INTO :ROW-NAME, :ROW-AMOUNT, :ROW-SINCE
               FROM SUPPLIER WHERE ID = :KEY-N
           END-EXEC.
           ADD 1 TO SELECTS.
           ADD ROW-AMOUNT TO TOTAL-AMOUNT.
           PERFORM NEXT-KEY.
           EXEC SQL
             SELECT NAME, AMOUNT, SINCE
               INTO :ROW-NAME, :ROW-AMOUNT, :ROW-SINCE
               FROM CONTRACT WHERE ID = :KEY-N
           END-EXEC.
           ADD 1 TO SELECTS.
           ADD ROW-AMOUNT TO TOTAL-AMOUNT.
           PERFORM NEXT-KEY.
           EXEC SQL
             SELECT NAME, AMOUNT, SINCE
               INTO :ROW-NAME, :ROW-AMOUNT, :ROW-SINCE
               FROM REGION WHERE ID = :KEY-N
           END-EXEC.
           ADD 1 TO SELECTS.
           ADD ROW-AMOUNT TO TOTAL-AMOUNT.
       LISTS.
           PERFORM NEXT-OWNER.
           EXEC SQL OPEN LIST1 END-EXEC.
           ADD 1 TO OPENS.
           PERFORM UNTIL SQLCODE = 100
             EXEC SQL FETCH LIST1
               INTO :LINE-N, :LINE-QUANTITY, :LINE-AMOUNT, :LINE-REMARK
             END-EXEC
             ADD 1 TO FETCHES
             IF SQLCODE = 0
               ADD LINE-AMOUNT TO TOTAL-AMOUNT
             END-IF
           END-PERFORM.
           EXEC SQL CLOSE LIST1 END-EXEC.
           ADD 1 TO CLOSES.
           PERFORM NEXT-OWNER.
           EXEC SQL OPEN LIST2 END-EXEC.
           ADD 1 TO OPENS.
           PERFORM UNTIL SQLCODE = 100
             EXEC SQL FETCH LIST2
               INTO :LINE-N, :LINE-QUANTITY, :LINE-AMOUNT, :LINE-REMARK
             END-EXEC
             ADD 1 TO FETCHES
             IF SQLCODE = 0
               ADD LINE-AMOUNT TO TOTAL-AMOUNT
             END-IF
           END-PERFORM.
           EXEC SQL CLOSE LIST2 END-EXEC.
           ADD 1 TO CLOSES.
           PERFORM NEXT-OWNER.
           EXEC SQL OPEN LIST3 END-EXEC.
           ADD 1 TO OPENS.
           PERFORM UNTIL SQLCODE = 100
             EXEC SQL FETCH LIST3
               INTO :LINE-N, :LINE-QUANTITY, :LINE-AMOUNT, :LINE-REMARK
             END-EXEC
             ADD 1 TO FETCHES
             IF SQLCODE = 0
               ADD LINE-AMOUNT TO TOTAL-AMOUNT
             END-IF
           END-PERFORM.
           EXEC SQL CLOSE LIST3 END-EXEC.
           ADD 1 TO CLOSES.
           PERFORM NEXT-OWNER.
           EXEC SQL OPEN LIST4 END-EXEC.
           ADD 1 TO OPENS.
           PERFORM UNTIL SQLCODE = 100
             EXEC SQL FETCH LIST4
               INTO :LINE-N, :LINE-QUANTITY, :LINE-AMOUNT, :LINE-REMARK
             END-EXEC
             ADD 1 TO FETCHES
             IF SQLCODE = 0
               ADD LINE-AMOUNT TO TOTAL-AMOUNT
             END-IF
           END-PERFORM.
           EXEC SQL CLOSE LIST4 END-EXEC.
           ADD 1 TO CLOSES.
       CHANGES.
           MOVE TOTAL-AMOUNT TO NOTED-AMOUNT.
           COMPUTE OWNER-N = NUMBER-N * 8.
           DIVIDE OWNER-N BY 320 GIVING WORK-QUOTIENT
             REMAINDER OWNER-N.
           PERFORM VARYING LINE-N FROM 0 BY 1 UNTIL LINE-N > 1
             EXEC SQL
               UPDATE PAYMENT SET QUANTITY = QUANTITY + 1
                WHERE OWNER = :OWNER-N AND LINE = :LINE-N
             END-EXEC
             ADD 1 TO UPDATES
           END-PERFORM.
           PERFORM VARYING LINE-N FROM 0 BY 1 UNTIL LINE-N > 1
             EXEC SQL
               DELETE FROM HISTORY
                WHERE TRAN = :TRAN-ID AND NUMBER = :NUMBER-N
                  AND LINE = :LINE-N
             END-EXEC
             ADD 1 TO DELETES
           END-PERFORM.
           PERFORM VARYING LINE-N FROM 0 BY 1 UNTIL LINE-N > 1
             EXEC SQL
               INSERT INTO HISTORY (TRAN, NUMBER, LINE, AMOUNT, STAMP)
               VALUES (:TRAN-ID, :NUMBER-N, :LINE-N, :NOTED-AMOUNT,
                       CURRENT TIMESTAMP)
             END-EXEC
             ADD 1 TO INSERTS
           END-PERFORM.
      * Nothing of it is kept; the code tells the operator why.
       SQL-FAILED.
           EXEC CICS WRITEQ TD QUEUE('CSMT') FROM(SQLCA)
             NOHANDLE END-EXEC.
           EXEC CICS ABEND ABCODE('RTWS') END-EXEC.
