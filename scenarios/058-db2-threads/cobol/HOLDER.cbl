       IDENTIFICATION DIVISION.
       PROGRAM-ID. HOLDER.
      * Has a thread until somebody says GO, and goes on until somebody
      * says END. It says how far it is.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  AMOUNT PIC S9(9) COMP.
       01  RC PIC S9(8) COMP.
       01  QUEUE-NAME.
           05  QUEUE-WORD  PIC X(4).
           05  QUEUE-TRANS PIC X(4).
           EXEC SQL DECLARE STAYS CURSOR WITH HOLD FOR
             SELECT AMOUNT FROM PAY END-EXEC.
       PROCEDURE DIVISION.
           MOVE EIBTRNID TO QUEUE-TRANS.
           MOVE 'CAME' TO QUEUE-WORD.
           PERFORM SAY.
           EXEC SQL SELECT AMOUNT INTO :AMOUNT FROM PAY
             WHERE NUMBER = 1 END-EXEC.
           IF SQLCODE NOT = 0
             EXEC CICS ABEND ABCODE('SQL1') END-EXEC
           END-IF.
           IF EIBTRNID = 'KEEP'
             EXEC SQL OPEN STAYS END-EXEC
           END-IF.
           MOVE 'HELD' TO QUEUE-WORD.
           PERFORM SAY.
           MOVE 'GO' TO QUEUE-WORD.
           PERFORM UNTIL-SAID.
           EXEC CICS SYNCPOINT END-EXEC.
           MOVE 'PAST' TO QUEUE-WORD.
           PERFORM SAY.
           MOVE 'END' TO QUEUE-WORD.
           PERFORM UNTIL-SAID.
           EXEC CICS RETURN END-EXEC.
       SAY.
           EXEC CICS WRITEQ TS QUEUE(QUEUE-NAME) FROM(QUEUE-WORD)
             MAIN END-EXEC.
       UNTIL-SAID.
           MOVE 44 TO RC.
           PERFORM UNTIL RC = 0
             EXEC CICS DELAY FOR MILLISECS(20) END-EXEC
             EXEC CICS READQ TS QUEUE(QUEUE-NAME) INTO(QUEUE-WORD)
               ITEM(1) RESP(RC) END-EXEC
           END-PERFORM.
