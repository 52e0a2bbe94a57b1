       IDENTIFICATION DIVISION.
       PROGRAM-ID. STARTED.
      * Keeps what TELLS says in a queue named by the transaction;
      * NEXT starts LAST, which is two tasks away from the origin.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  SAID PIC X(60) VALUE SPACES.
       01  Q    PIC X(8) VALUE SPACES.
       PROCEDURE DIVISION.
       MAIN-LINE.
           IF EIBTRNID = 'NEXT'
              EXEC CICS START TRANSID('LAST') END-EXEC.
           EXEC CICS LINK PROGRAM('TELLS') COMMAREA(SAID) END-EXEC.
           MOVE EIBTRNID TO Q.
           EXEC CICS WRITEQ TS QUEUE(Q) FROM(SAID) END-EXEC.
           EXEC CICS RETURN END-EXEC.
