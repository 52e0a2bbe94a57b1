       IDENTIFICATION DIVISION.
       PROGRAM-ID. BILLING.
      * Adds up an order. One of its prices was never filled in.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  LINE-NO          PIC S9(4) COMP.
       01  ORDER-TOTAL      PIC S9(7)V99 COMP-3 VALUE 0.
       01  THE-ORDER.
           05 ORDER-NUMBER  PIC X(6) VALUE 'A00042'.
           05 ORDER-LINE OCCURS 3.
              10 ITEM-CODE  PIC X(4).
              10 ITEM-PRICE PIC S9(5)V99 COMP-3.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 'NUTS' TO ITEM-CODE(1).
           MOVE 1.25   TO ITEM-PRICE(1).
           MOVE 'NAIL' TO ORDER-LINE(2).
           MOVE 'BOLT' TO ITEM-CODE(3).
           MOVE 2.50   TO ITEM-PRICE(3).
           EXEC CICS WRITEQ TS QUEUE('ORDERS') FROM(THE-ORDER)
                END-EXEC.
           PERFORM ADD-UP VARYING LINE-NO FROM 1 BY 1
                UNTIL LINE-NO > 3.
           EXEC CICS RETURN END-EXEC.
       ADD-UP.
           ADD ITEM-PRICE(LINE-NO) TO ORDER-TOTAL.
