       IDENTIFICATION DIVISION.
       PROGRAM-ID. TPCOS.
      * Order-Status: the last order of a customer, line by line.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  W-ID             PIC S9(9) COMP.
       01  D-ID             PIC S9(4) COMP.
       01  C-ID             PIC S9(9) COMP.
       01  NAMED            PIC S9(9) COMP.
       01  TURN-N           PIC S9(9) COMP.
       01  C-FIRST          PIC X(16).
       01  C-MIDDLE         PIC XX.
       01  C-LAST           PIC X(16).
       01  C-BALANCE        PIC S9(10)V99 COMP-3.
       01  O-ID             PIC S9(9) COMP.
       01  O-ID-I           PIC S9(4) COMP.
       01  O-ENTRY-D        PIC X(26).
       01  O-CARRIER        PIC S9(4) COMP.
       01  O-CARRIER-I      PIC S9(4) COMP.
       01  OL-SUPPLY        PIC S9(9) COMP.
       01  OL-I-ID          PIC S9(9) COMP.
       01  OL-QUANTITY      PIC S9(4) COMP.
       01  OL-AMOUNT        PIC S9(5)V99 COMP-3.
       01  OL-DELIVERED     PIC X(10).
       01  OL-DELIVERED-I   PIC S9(4) COMP.
           EXEC SQL DECLARE BYNAME CURSOR FOR
             SELECT C_ID FROM CUSTOMER
              WHERE C_W_ID = :W-ID AND C_D_ID = :D-ID
                AND C_LAST = :C-LAST ORDER BY C_FIRST
           END-EXEC.
           EXEC SQL DECLARE LINES CURSOR FOR
             SELECT OL_SUPPLY_W_ID, OL_I_ID, OL_QUANTITY, OL_AMOUNT,
                    CHAR(DATE(OL_DELIVERY_D), ISO)
               FROM ORDER_LINE
              WHERE OL_W_ID = :W-ID AND OL_D_ID = :D-ID
                AND OL_O_ID = :O-ID ORDER BY OL_NUMBER
           END-EXEC.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY TPCOSC.
       PROCEDURE DIVISION.
           EXEC SQL WHENEVER SQLERROR GO TO SQL-FAILED END-EXEC.
           MOVE OS-W-ID TO W-ID.
           MOVE OS-D-ID TO D-ID.
           MOVE OS-C-ID TO C-ID.
           MOVE OS-LAST TO C-LAST.
           MOVE 0 TO OS-COUNT.
           IF C-ID = 0
             PERFORM FIND-BY-NAME
           END-IF.
           EXEC SQL
             SELECT C_FIRST, C_MIDDLE, C_LAST, C_BALANCE
               INTO :C-FIRST, :C-MIDDLE, :C-LAST, :C-BALANCE
               FROM CUSTOMER
              WHERE C_W_ID = :W-ID AND C_D_ID = :D-ID AND C_ID = :C-ID
           END-EXEC.
           IF SQLCODE = 100
             PERFORM NONE-FOUND
           END-IF.
           EXEC SQL
             SELECT MAX(O_ID) INTO :O-ID :O-ID-I FROM ORDERS
              WHERE O_W_ID = :W-ID AND O_D_ID = :D-ID
                AND O_C_ID = :C-ID
           END-EXEC.
           IF O-ID-I < 0
             PERFORM NONE-FOUND
           END-IF.
           EXEC SQL
             SELECT O_ENTRY_D, O_CARRIER_ID
               INTO :O-ENTRY-D, :O-CARRIER :O-CARRIER-I
               FROM ORDERS
              WHERE O_W_ID = :W-ID AND O_D_ID = :D-ID AND O_ID = :O-ID
           END-EXEC.
           MOVE 'Y' TO OS-STATUS.
           MOVE C-ID TO OS-C-ID.
           MOVE C-LAST TO OS-LAST.
           MOVE C-FIRST TO OS-FIRST.
           MOVE C-MIDDLE TO OS-MIDDLE.
           MOVE C-BALANCE TO OS-BALANCE.
           MOVE O-ID TO OS-O-ID.
           MOVE O-ENTRY-D TO OS-ENTRY.
           MOVE 0 TO OS-CARRIER.
           IF O-CARRIER-I >= 0
             MOVE O-CARRIER TO OS-CARRIER
           END-IF.
           PERFORM ALL-LINES.
           EXEC CICS SYNCPOINT END-EXEC.
           EXEC CICS RETURN END-EXEC.
       ALL-LINES.
           EXEC SQL OPEN LINES END-EXEC.
           PERFORM UNTIL SQLCODE = 100 OR OS-COUNT = 15
             EXEC SQL FETCH LINES INTO :OL-SUPPLY, :OL-I-ID,
               :OL-QUANTITY, :OL-AMOUNT, :OL-DELIVERED :OL-DELIVERED-I
             END-EXEC
             IF SQLCODE = 0
               ADD 1 TO OS-COUNT
               MOVE OL-SUPPLY TO OS-SUPPLY(OS-COUNT)
               MOVE OL-I-ID TO OS-I-ID(OS-COUNT)
               MOVE OL-QUANTITY TO OS-QUANTITY(OS-COUNT)
               MOVE OL-AMOUNT TO OS-AMOUNT(OS-COUNT)
               MOVE SPACES TO OS-DELIVERED(OS-COUNT)
               IF OL-DELIVERED-I >= 0
                 MOVE OL-DELIVERED TO OS-DELIVERED(OS-COUNT)
               END-IF
             END-IF
           END-PERFORM.
           EXEC SQL CLOSE LINES END-EXEC.
       FIND-BY-NAME.
           EXEC SQL
             SELECT COUNT(*) INTO :NAMED FROM CUSTOMER
              WHERE C_W_ID = :W-ID AND C_D_ID = :D-ID
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
       NONE-FOUND.
           MOVE 'N' TO OS-STATUS.
           EXEC CICS SYNCPOINT END-EXEC.
           EXEC CICS RETURN END-EXEC.
       SQL-FAILED.
           IF SQLCODE = -911
             MOVE 'D' TO OS-STATUS
             EXEC CICS RETURN END-EXEC
           END-IF.
           EXEC CICS WRITEQ TD QUEUE('CSMT') FROM(SQLCA)
             NOHANDLE END-EXEC.
           EXEC CICS ABEND ABCODE('TPCE') END-EXEC.
