      *> Groups with a table of varying length: what is moved into them, and
      *> reference modification without a length.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. VARYING.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 RECORD-READ PIC X(20) VALUE '04AABBCCDDEEFF'.
       01 ORDERS.
          05 ORDER-COUNT PIC 99 VALUE 1.
          05 ORDER-CODE PIC X(2) OCCURS 0 TO 5 DEPENDING ON ORDER-COUNT.
       01 OTHER-ORDERS.
          05 OTHER-COUNT PIC 99 VALUE 3.
          05 OTHER-CODE PIC X(2) OCCURS 0 TO 5
               DEPENDING ON OTHER-COUNT.
       01 OUTER.
          05 INNER.
             10 INNER-COUNT PIC 99 VALUE 1.
             10 INNER-CODE PIC X(2) OCCURS 0 TO 5
                  DEPENDING ON INNER-COUNT.
          05 BEHIND PIC X(4) VALUE 'LAST'.
       01 HOW-MANY PIC 99 VALUE 3.
       01 TAIL.
          05 TAIL-HEAD PIC X(2) VALUE 'HH'.
          05 TAIL-CODE PIC X(2) OCCURS 1 TO 9 DEPENDING ON HOW-MANY.
       01 GUARD PIC X(4) VALUE 'SAFE'.
       PROCEDURE DIVISION.
           MOVE RECORD-READ TO ORDERS
           DISPLAY 'RECORD ' ORDERS
           MOVE 5 TO ORDER-COUNT
           DISPLAY 'ALL OF IT ' ORDERS
           MOVE 'AABBCC' TO OTHER-ORDERS(3:)
           MOVE 1 TO ORDER-COUNT
           MOVE OTHER-ORDERS TO ORDERS
           DISPLAY 'GROUP ' ORDERS
      *> It is followed by another item: the length is that before.
           MOVE '03AABBCC' TO INNER
           DISPLAY 'INNER ' INNER-COUNT ' ' INNER-CODE(1)
      *> The number is elsewhere: the length is that before.
           MOVE ALL '-' TO TAIL(3:)
           MOVE 'aabbccddeeff' TO TAIL(3:)
           MOVE 9 TO HOW-MANY
           DISPLAY 'TAIL ' TAIL '.'
           MOVE 2 TO HOW-MANY
           DISPLAY 'PART ' TAIL(2 + 1:) '.' GUARD
           IF TAIL(5:) = 'bb'
             DISPLAY 'EQUAL'
           END-IF
           GOBACK.
