       IDENTIFICATION DIVISION.
       PROGRAM-ID. TPCDX.
      * Delivers the oldest order of each of ten districts, each in a
      * unit of work of its own, and notes what it did.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  ASKED.
           COPY TPCDLC.
       01  ASKED-LENGTH     PIC S9(4) COMP VALUE 33.
       01  W-ID             PIC S9(9) COMP.
       01  D-ID             PIC S9(4) COMP.
       01  O-ID             PIC S9(9) COMP.
       01  O-ID-I           PIC S9(4) COMP.
       01  C-ID             PIC S9(9) COMP.
       01  CARRIER          PIC S9(4) COMP.
       01  AMOUNT           PIC S9(9)V99 COMP-3.
       01  AMOUNT-I         PIC S9(4) COMP.
       01  DONE-AT          PIC X(26).
       01  NOTE.
           05  FILLER       PIC X(9) VALUE 'Delivery '.
           05  N-QUEUED     PIC X(26).
           05  FILLER       PIC X VALUE SPACE.
           05  N-DONE       PIC X(26).
           05  FILLER       PIC X(3) VALUE ' W '.
           05  N-W-ID       PIC 9(4).
           05  FILLER       PIC X(3) VALUE ' D '.
           05  N-D-ID       PIC 99.
           05  FILLER       PIC X(3) VALUE ' O '.
           05  N-O-ID       PIC 9(8).
       PROCEDURE DIVISION.
           EXEC SQL WHENEVER SQLERROR GO TO SQL-FAILED END-EXEC.
           EXEC CICS RETRIEVE INTO(ASKED) LENGTH(ASKED-LENGTH)
             END-EXEC.
           MOVE DL-W-ID TO W-ID.
           MOVE DL-CARRIER TO CARRIER.
           MOVE 1 TO D-ID.
           PERFORM DISTRICTS UNTIL D-ID > 10.
           EXEC CICS RETURN END-EXEC.
       DISTRICTS.
           PERFORM ONE-DISTRICT.
           EXEC CICS SYNCPOINT END-EXEC.
           ADD 1 TO D-ID.
      * The district's row first: who delivers or orders there waits.
       ONE-DISTRICT.
           EXEC SQL
             UPDATE DISTRICT SET D_NEXT_O_ID = D_NEXT_O_ID
              WHERE D_W_ID = :W-ID AND D_ID = :D-ID
           END-EXEC.
           EXEC SQL
             SELECT MIN(NO_O_ID) INTO :O-ID :O-ID-I FROM NEW_ORDER
              WHERE NO_W_ID = :W-ID AND NO_D_ID = :D-ID
           END-EXEC.
           MOVE 0 TO N-O-ID.
           IF O-ID-I >= 0
             PERFORM ONE-ORDER
             MOVE O-ID TO N-O-ID
           END-IF.
           EXEC SQL SET :DONE-AT = CURRENT TIMESTAMP END-EXEC.
           MOVE DL-QUEUED TO N-QUEUED.
           MOVE DONE-AT TO N-DONE.
           MOVE W-ID TO N-W-ID.
           MOVE D-ID TO N-D-ID.
           EXEC CICS WRITEQ TD QUEUE('TPCR') FROM(NOTE) END-EXEC.
       ONE-ORDER.
           EXEC SQL
             DELETE FROM NEW_ORDER
              WHERE NO_W_ID = :W-ID AND NO_D_ID = :D-ID
                AND NO_O_ID = :O-ID
           END-EXEC.
           EXEC SQL
             SELECT O_C_ID INTO :C-ID FROM ORDERS
              WHERE O_W_ID = :W-ID AND O_D_ID = :D-ID AND O_ID = :O-ID
           END-EXEC.
           EXEC SQL
             UPDATE ORDERS SET O_CARRIER_ID = :CARRIER
              WHERE O_W_ID = :W-ID AND O_D_ID = :D-ID AND O_ID = :O-ID
           END-EXEC.
           EXEC SQL
             UPDATE ORDER_LINE SET OL_DELIVERY_D = CURRENT TIMESTAMP
              WHERE OL_W_ID = :W-ID AND OL_D_ID = :D-ID
                AND OL_O_ID = :O-ID
           END-EXEC.
           EXEC SQL
             SELECT SUM(OL_AMOUNT) INTO :AMOUNT :AMOUNT-I
               FROM ORDER_LINE
              WHERE OL_W_ID = :W-ID AND OL_D_ID = :D-ID
                AND OL_O_ID = :O-ID
           END-EXEC.
           EXEC SQL
             UPDATE CUSTOMER SET C_BALANCE = C_BALANCE + :AMOUNT,
                    C_DELIVERY_CNT = C_DELIVERY_CNT + 1
              WHERE C_W_ID = :W-ID AND C_D_ID = :D-ID AND C_ID = :C-ID
           END-EXEC.
      * After a deadlock this district is tried again.
       SQL-FAILED.
           IF SQLCODE = -911
             PERFORM DISTRICTS UNTIL D-ID > 10
             EXEC CICS RETURN END-EXEC
           END-IF.
           EXEC CICS WRITEQ TD QUEUE('CSMT') FROM(SQLCA)
             NOHANDLE END-EXEC.
           EXEC CICS ABEND ABCODE('TPCE') END-EXEC.
