       IDENTIFICATION DIVISION.
       PROGRAM-ID. TPCNO.
      * New-Order: an order of 5 to 15 lines, from a COMMAREA.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  W-ID             PIC S9(9) COMP.
       01  D-ID             PIC S9(4) COMP.
       01  C-ID             PIC S9(9) COMP.
       01  O-ID             PIC S9(9) COMP.
       01  OL-CNT           PIC S9(4) COMP.
       01  ALL-LOCAL        PIC S9(4) COMP VALUE 1.
       01  ENTRY-D          PIC X(26).
       01  W-TAX            PIC S9V9(4) COMP-3.
       01  D-TAX            PIC S9V9(4) COMP-3.
       01  C-DISCOUNT       PIC S9V9(4) COMP-3.
       01  C-LAST.
           49  C-LAST-L     PIC S9(4) COMP.
           49  C-LAST-T     PIC X(16).
       01  C-CREDIT         PIC XX.
       01  LINE-N           PIC S9(4) COMP.
       01  I-ID             PIC S9(9) COMP.
       01  SUPPLY-W-ID      PIC S9(9) COMP.
       01  QUANTITY         PIC S9(4) COMP.
       01  I-PRICE          PIC S9(3)V99 COMP-3.
       01  I-NAME.
           49  I-NAME-L     PIC S9(4) COMP.
           49  I-NAME-T     PIC X(24).
       01  I-DATA.
           49  I-DATA-L     PIC S9(4) COMP.
           49  I-DATA-T     PIC X(50).
       01  S-DATA.
           49  S-DATA-L     PIC S9(4) COMP.
           49  S-DATA-T     PIC X(50).
       01  S-QUANTITY       PIC S9(4) COMP.
       01  S-DIST           PIC X(24).
       01  REMOTE-N         PIC S9(4) COMP.
       01  OL-AMOUNT        PIC S9(5)V99 COMP-3.
       01  TOTAL            PIC S9(9)V99 COMP-3 VALUE 0.
       01  HITS             PIC S9(4) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY TPCNOC.
       PROCEDURE DIVISION.
           EXEC SQL WHENEVER SQLERROR GO TO SQL-FAILED END-EXEC.
           MOVE NO-W-ID TO W-ID.
           MOVE NO-D-ID TO D-ID.
           MOVE NO-C-ID TO C-ID.
           MOVE NO-COUNT TO OL-CNT.
           PERFORM VARYING LINE-N FROM 1 BY 1 UNTIL LINE-N > OL-CNT
             IF NO-SUPPLY(LINE-N) NOT = NO-W-ID
               MOVE 0 TO ALL-LOCAL
             END-IF
           END-PERFORM.
      * The district first: who orders there waits here.
           EXEC SQL
             UPDATE DISTRICT SET D_NEXT_O_ID = D_NEXT_O_ID + 1
              WHERE D_W_ID = :W-ID AND D_ID = :D-ID
           END-EXEC.
           EXEC SQL
             SELECT D_NEXT_O_ID - 1, D_TAX INTO :O-ID, :D-TAX
               FROM DISTRICT WHERE D_W_ID = :W-ID AND D_ID = :D-ID
           END-EXEC.
           EXEC SQL
             SELECT W_TAX, C_DISCOUNT, C_LAST, C_CREDIT
               INTO :W-TAX, :C-DISCOUNT, :C-LAST, :C-CREDIT
               FROM WAREHOUSE, CUSTOMER
              WHERE W_ID = :W-ID AND C_W_ID = W_ID
                AND C_D_ID = :D-ID AND C_ID = :C-ID
           END-EXEC.
           EXEC SQL SET :ENTRY-D = CURRENT TIMESTAMP END-EXEC.
           EXEC SQL
             INSERT INTO ORDERS (O_ID, O_D_ID, O_W_ID, O_C_ID,
                    O_ENTRY_D, O_CARRIER_ID, O_OL_CNT, O_ALL_LOCAL)
             VALUES (:O-ID, :D-ID, :W-ID, :C-ID,
                    :ENTRY-D, NULL, :OL-CNT, :ALL-LOCAL)
           END-EXEC.
           EXEC SQL
             INSERT INTO NEW_ORDER (NO_O_ID, NO_D_ID, NO_W_ID)
             VALUES (:O-ID, :D-ID, :W-ID)
           END-EXEC.
           MOVE 'Y' TO NO-STATUS.
           PERFORM ONE-LINE VARYING LINE-N FROM 1 BY 1
             UNTIL LINE-N > OL-CNT OR NO-STATUS = 'N'.
           MOVE O-ID TO NO-O-ID.
           MOVE C-LAST-T(1:C-LAST-L) TO NO-LAST.
           MOVE C-CREDIT TO NO-CREDIT.
           MOVE ENTRY-D TO NO-ENTRY.
           IF NO-STATUS = 'N'
             EXEC CICS SYNCPOINT ROLLBACK END-EXEC
           ELSE
             COMPUTE NO-TOTAL ROUNDED = TOTAL * (1 - C-DISCOUNT)
               * (1 + W-TAX + D-TAX)
             MOVE C-DISCOUNT TO NO-DISCOUNT
             MOVE W-TAX TO NO-W-TAX
             MOVE D-TAX TO NO-D-TAX
             EXEC CICS SYNCPOINT END-EXEC
           END-IF.
           EXEC CICS RETURN END-EXEC.
       ONE-LINE.
           MOVE NO-I-ID(LINE-N) TO I-ID.
           MOVE NO-SUPPLY(LINE-N) TO SUPPLY-W-ID.
           MOVE NO-QUANTITY(LINE-N) TO QUANTITY.
           EXEC SQL
             SELECT I_PRICE, I_NAME, I_DATA
               INTO :I-PRICE, :I-NAME, :I-DATA
               FROM ITEM WHERE I_ID = :I-ID
           END-EXEC.
           IF SQLCODE = 100
             MOVE 'N' TO NO-STATUS
           ELSE
             PERFORM ONE-STOCK
           END-IF.
       ONE-STOCK.
           EXEC SQL
             SELECT S_QUANTITY, S_DATA,
                    CASE :D-ID WHEN 1 THEN S_DIST_01
                      WHEN 2 THEN S_DIST_02 WHEN 3 THEN S_DIST_03
                      WHEN 4 THEN S_DIST_04 WHEN 5 THEN S_DIST_05
                      WHEN 6 THEN S_DIST_06 WHEN 7 THEN S_DIST_07
                      WHEN 8 THEN S_DIST_08 WHEN 9 THEN S_DIST_09
                      ELSE S_DIST_10 END
               INTO :S-QUANTITY, :S-DATA, :S-DIST
               FROM STOCK WHERE S_I_ID = :I-ID AND S_W_ID = :SUPPLY-W-ID
           END-EXEC.
           IF S-QUANTITY >= QUANTITY + 10
             SUBTRACT QUANTITY FROM S-QUANTITY
           ELSE
             COMPUTE S-QUANTITY = S-QUANTITY - QUANTITY + 91
           END-IF.
           MOVE 0 TO REMOTE-N.
           IF SUPPLY-W-ID NOT = W-ID
             MOVE 1 TO REMOTE-N
           END-IF.
           EXEC SQL
             UPDATE STOCK SET S_QUANTITY = :S-QUANTITY,
                    S_YTD = S_YTD + :QUANTITY,
                    S_ORDER_CNT = S_ORDER_CNT + 1,
                    S_REMOTE_CNT = S_REMOTE_CNT + :REMOTE-N
              WHERE S_I_ID = :I-ID AND S_W_ID = :SUPPLY-W-ID
           END-EXEC.
           COMPUTE OL-AMOUNT = QUANTITY * I-PRICE.
           ADD OL-AMOUNT TO TOTAL.
           EXEC SQL
             INSERT INTO ORDER_LINE (OL_O_ID, OL_D_ID, OL_W_ID,
                    OL_NUMBER, OL_I_ID, OL_SUPPLY_W_ID,
                    OL_DELIVERY_D, OL_QUANTITY, OL_AMOUNT, OL_DIST_INFO)
             VALUES (:O-ID, :D-ID, :W-ID, :LINE-N, :I-ID, :SUPPLY-W-ID,
                    NULL, :QUANTITY, :OL-AMOUNT, :S-DIST)
           END-EXEC.
           MOVE I-NAME-T(1:I-NAME-L) TO NO-NAME(LINE-N).
           MOVE S-QUANTITY TO NO-STOCK(LINE-N).
           MOVE I-PRICE TO NO-PRICE(LINE-N).
           MOVE OL-AMOUNT TO NO-AMOUNT(LINE-N).
           MOVE 'G' TO NO-BRAND(LINE-N).
           MOVE 0 TO HITS.
           INSPECT I-DATA-T(1:I-DATA-L) TALLYING HITS
             FOR ALL 'ORIGINAL'.
           IF HITS > 0
             MOVE 0 TO HITS
             INSPECT S-DATA-T(1:S-DATA-L) TALLYING HITS
               FOR ALL 'ORIGINAL'
             IF HITS > 0
               MOVE 'B' TO NO-BRAND(LINE-N)
             END-IF
           END-IF.
      * After a deadlock all is backed out: the caller asks again.
       SQL-FAILED.
           IF SQLCODE = -911
             MOVE 'D' TO NO-STATUS
             EXEC CICS RETURN END-EXEC
           END-IF.
           EXEC CICS WRITEQ TD QUEUE('CSMT') FROM(SQLCA)
             NOHANDLE END-EXEC.
           EXEC CICS ABEND ABCODE('TPCE') END-EXEC.
