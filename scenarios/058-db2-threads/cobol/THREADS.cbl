       IDENTIFICATION DIVISION.
       PROGRAM-ID. THREADS.
      * A function for each word in the COMMAREA.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  AMOUNT PIC S9(9) COMP.
       01  RC PIC S9(8) COMP VALUE 0.
       01  ITEMS PIC S9(4) COMP.
       01  LIMIT-NOW PIC S9(8) COMP.
       01  SHOWN PIC -(7)9.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-WHAT   PIC X(8).
           05 CA-QUEUE.
              10 CA-WORD  PIC X(4).
              10 CA-TRANS PIC X(4).
           05 CA-NUMBER PIC 9(4).
           05 FILLER    PIC X(40).
       PROCEDURE DIVISION.
           EVALUATE CA-WHAT
             WHEN 'SELECT'
               EXEC SQL SELECT AMOUNT INTO :AMOUNT FROM PAY
                 WHERE NUMBER = 1 END-EXEC
               MOVE SQLCODE TO SHOWN
             WHEN 'START'
               EXEC CICS START TRANSID(CA-TRANS) END-EXEC
               MOVE 0 TO SHOWN
             WHEN 'SAY'
               EXEC CICS WRITEQ TS QUEUE(CA-QUEUE) FROM(CA-WORD)
                 MAIN END-EXEC
               MOVE 0 TO SHOWN
             WHEN 'COUNT'
               MOVE 0 TO ITEMS
               EXEC CICS READQ TS QUEUE(CA-QUEUE) INTO(CA-WORD) ITEM(1)
                 NUMITEMS(ITEMS) RESP(RC) END-EXEC
               MOVE ITEMS TO SHOWN
             WHEN 'FORGET'
               EXEC CICS DELETEQ TS QUEUE(CA-QUEUE) RESP(RC) END-EXEC
               MOVE 0 TO SHOWN
             WHEN 'LIMIT'
               MOVE CA-NUMBER TO LIMIT-NOW
               EXEC CICS SET DB2ENTRY(CA-QUEUE) THREADLIMIT(LIMIT-NOW)
                 RESP(RC) END-EXEC
               MOVE RC TO SHOWN
             WHEN 'POOL'
               MOVE CA-NUMBER TO LIMIT-NOW
               EXEC CICS SET DB2CONN THREADLIMIT(LIMIT-NOW)
                 RESP(RC) END-EXEC
               MOVE RC TO SHOWN
           END-EVALUATE.
           MOVE SHOWN TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
