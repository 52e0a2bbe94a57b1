       IDENTIFICATION DIVISION.
       PROGRAM-ID. TPCPY.
      * Payment of a customer, here or of another warehouse.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  W-ID             PIC S9(9) COMP.
       01  D-ID             PIC S9(4) COMP.
       01  C-W-ID           PIC S9(9) COMP.
       01  C-D-ID           PIC S9(4) COMP.
       01  C-ID             PIC S9(9) COMP.
       01  AMOUNT           PIC S9(4)V99 COMP-3.
       01  NAMED            PIC S9(9) COMP.
       01  TURN-N           PIC S9(9) COMP.
       01  W-NAME           PIC X(10).
       01  D-NAME           PIC X(10).
       01  W-STREET         PIC X(20).
       01  W-CITY           PIC X(20).
       01  D-STREET         PIC X(20).
       01  D-CITY           PIC X(20).
       01  C-FIRST          PIC X(16).
       01  C-MIDDLE         PIC XX.
       01  C-LAST           PIC X(16).
       01  C-STREET         PIC X(20).
       01  C-CITY           PIC X(20).
       01  C-PHONE          PIC X(16).
       01  C-SINCE          PIC X(10).
       01  C-CREDIT         PIC XX.
       01  C-LIMIT          PIC S9(10)V99 COMP-3.
       01  C-DISCOUNT       PIC S9V9(4) COMP-3.
       01  C-BALANCE        PIC S9(10)V99 COMP-3.
       01  C-DATA.
           49  C-DATA-L     PIC S9(4) COMP.
           49  C-DATA-T     PIC X(500).
       01  OLD-DATA         PIC X(500).
       01  SHOWN-AMOUNT     PIC 9(4).99.
       01  NEW-DATA.
           05  N-C-ID       PIC 9(5).
           05  N-C-D-ID     PIC 9(3).
           05  N-C-W-ID     PIC 9(5).
           05  N-D-ID       PIC 9(3).
           05  N-W-ID       PIC 9(5).
           05  N-AMOUNT     PIC X(7).
       01  H-DATA           PIC X(24).
       01  H-DATE           PIC X(26).
           EXEC SQL DECLARE BYNAME CURSOR FOR
             SELECT C_ID FROM CUSTOMER
              WHERE C_W_ID = :C-W-ID AND C_D_ID = :C-D-ID
                AND C_LAST = :C-LAST ORDER BY C_FIRST
           END-EXEC.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY TPCPYC.
       PROCEDURE DIVISION.
           EXEC SQL WHENEVER SQLERROR GO TO SQL-FAILED END-EXEC.
           MOVE PY-W-ID TO W-ID.
           MOVE PY-D-ID TO D-ID.
           MOVE PY-C-W-ID TO C-W-ID.
           MOVE PY-C-D-ID TO C-D-ID.
           MOVE PY-C-ID TO C-ID.
           MOVE PY-LAST TO C-LAST.
           MOVE PY-AMOUNT TO AMOUNT.
           EXEC SQL
             UPDATE WAREHOUSE SET W_YTD = W_YTD + :AMOUNT
              WHERE W_ID = :W-ID
           END-EXEC.
           EXEC SQL
             SELECT W_NAME, W_STREET_1, W_CITY
               INTO :W-NAME, :W-STREET, :W-CITY
               FROM WAREHOUSE WHERE W_ID = :W-ID
           END-EXEC.
           EXEC SQL
             UPDATE DISTRICT SET D_YTD = D_YTD + :AMOUNT
              WHERE D_W_ID = :W-ID AND D_ID = :D-ID
           END-EXEC.
           EXEC SQL
             SELECT D_NAME, D_STREET_1, D_CITY
               INTO :D-NAME, :D-STREET, :D-CITY
               FROM DISTRICT WHERE D_W_ID = :W-ID AND D_ID = :D-ID
           END-EXEC.
           IF C-ID = 0
             PERFORM FIND-BY-NAME
           END-IF.
           EXEC SQL
             SELECT C_FIRST, C_MIDDLE, C_LAST, C_STREET_1, C_CITY,
                    C_PHONE, CHAR(DATE(C_SINCE), ISO), C_CREDIT,
                    C_CREDIT_LIM, C_DISCOUNT, C_BALANCE, C_DATA
               INTO :C-FIRST, :C-MIDDLE, :C-LAST, :C-STREET, :C-CITY,
                    :C-PHONE, :C-SINCE, :C-CREDIT,
                    :C-LIMIT, :C-DISCOUNT, :C-BALANCE, :C-DATA
               FROM CUSTOMER
              WHERE C_W_ID = :C-W-ID AND C_D_ID = :C-D-ID
                AND C_ID = :C-ID
           END-EXEC.
           IF SQLCODE = 100
             EXEC CICS SYNCPOINT ROLLBACK END-EXEC
             MOVE 'N' TO PY-STATUS
             EXEC CICS RETURN END-EXEC
           END-IF.
           SUBTRACT AMOUNT FROM C-BALANCE.
           IF C-CREDIT = 'BC'
             PERFORM BAD-CREDIT
           ELSE
             EXEC SQL
               UPDATE CUSTOMER SET C_BALANCE = C_BALANCE - :AMOUNT,
                      C_YTD_PAYMENT = C_YTD_PAYMENT + :AMOUNT,
                      C_PAYMENT_CNT = C_PAYMENT_CNT + 1
                WHERE C_W_ID = :C-W-ID AND C_D_ID = :C-D-ID
                  AND C_ID = :C-ID
             END-EXEC
           END-IF.
           STRING W-NAME '    ' D-NAME DELIMITED BY SIZE INTO H-DATA.
           EXEC SQL SET :H-DATE = CURRENT TIMESTAMP END-EXEC.
           EXEC SQL
             INSERT INTO HISTORY (H_C_ID, H_C_D_ID, H_C_W_ID, H_D_ID,
                    H_W_ID, H_DATE, H_AMOUNT, H_DATA)
             VALUES (:C-ID, :C-D-ID, :C-W-ID, :D-ID,
                    :W-ID, :H-DATE, :AMOUNT, :H-DATA)
           END-EXEC.
           PERFORM ANSWER.
           EXEC CICS SYNCPOINT END-EXEC.
           EXEC CICS RETURN END-EXEC.
      * The middle one of those of the name, by first names.
       FIND-BY-NAME.
           EXEC SQL
             SELECT COUNT(*) INTO :NAMED FROM CUSTOMER
              WHERE C_W_ID = :C-W-ID AND C_D_ID = :C-D-ID
                AND C_LAST = :C-LAST
           END-EXEC.
           IF NAMED > 0
             COMPUTE NAMED = (NAMED + 1) / 2
             EXEC SQL OPEN BYNAME END-EXEC
             PERFORM VARYING TURN-N FROM 1 BY 1 UNTIL TURN-N > NAMED
               EXEC SQL FETCH BYNAME INTO :C-ID END-EXEC
             END-PERFORM
             EXEC SQL CLOSE BYNAME END-EXEC
           END-IF.
      * What of the data does not fit is lost.
       BAD-CREDIT.
           MOVE C-ID TO N-C-ID.
           MOVE C-D-ID TO N-C-D-ID.
           MOVE C-W-ID TO N-C-W-ID.
           MOVE D-ID TO N-D-ID.
           MOVE W-ID TO N-W-ID.
           MOVE AMOUNT TO SHOWN-AMOUNT.
           MOVE SHOWN-AMOUNT TO N-AMOUNT.
           MOVE C-DATA-T(1:C-DATA-L) TO OLD-DATA.
           MOVE NEW-DATA TO C-DATA-T.
           MOVE OLD-DATA(1:472) TO C-DATA-T(29:472).
           ADD 28 TO C-DATA-L.
           IF C-DATA-L > 500
             MOVE 500 TO C-DATA-L
           END-IF.
           EXEC SQL
             UPDATE CUSTOMER SET C_BALANCE = C_BALANCE - :AMOUNT,
                    C_YTD_PAYMENT = C_YTD_PAYMENT + :AMOUNT,
                    C_PAYMENT_CNT = C_PAYMENT_CNT + 1,
                    C_DATA = :C-DATA
              WHERE C_W_ID = :C-W-ID AND C_D_ID = :C-D-ID
                AND C_ID = :C-ID
           END-EXEC.
       ANSWER.
           MOVE 'Y' TO PY-STATUS.
           MOVE C-ID TO PY-C-ID.
           MOVE C-LAST TO PY-LAST.
           MOVE W-STREET TO PY-W-STREET.
           MOVE W-CITY TO PY-W-CITY.
           MOVE D-STREET TO PY-D-STREET.
           MOVE D-CITY TO PY-D-CITY.
           MOVE C-FIRST TO PY-FIRST.
           MOVE C-MIDDLE TO PY-MIDDLE.
           MOVE C-STREET TO PY-STREET.
           MOVE C-CITY TO PY-CITY.
           MOVE C-PHONE TO PY-PHONE.
           MOVE C-SINCE TO PY-SINCE.
           MOVE C-CREDIT TO PY-CREDIT.
           MOVE C-LIMIT TO PY-LIMIT.
           MOVE C-DISCOUNT TO PY-DISCOUNT.
           MOVE C-BALANCE TO PY-BALANCE.
           MOVE SPACES TO PY-DATA.
           IF C-CREDIT = 'BC'
             MOVE C-DATA-T(1:C-DATA-L) TO PY-DATA
           END-IF.
           MOVE H-DATE TO PY-DATE.
      * After a deadlock all is backed out: the caller asks again.
       SQL-FAILED.
           IF SQLCODE = -911
             MOVE 'D' TO PY-STATUS
             EXEC CICS RETURN END-EXEC
           END-IF.
           EXEC CICS WRITEQ TD QUEUE('CSMT') FROM(SQLCA)
             NOHANDLE END-EXEC.
           EXEC CICS ABEND ABCODE('TPCE') END-EXEC.
