       IDENTIFICATION DIVISION.
       PROGRAM-ID. READS.
      * A function for each word in the COMMAREA. The answer: amounts,
      * cities and SQLCODEs in the order in which they were found.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  AMOUNT PIC S9(9) COMP.
       01  ROW-NUMBER PIC S9(9) COMP.
       01  CITY PIC X(8).
       01  TOKEN PIC X(16).
       01  STATUS-OF PIC S9(8) COMP.
       01  FOUND PIC X(60) VALUE SPACES.
       01  NEXT-AT PIC S9(4) COMP VALUE 1.
       01  SHOWN PIC -(5)9.
       01  BAD-BYTES PIC X(3) VALUE 'ABC'.
       01  BAD REDEFINES BAD-BYTES PIC S9(5) COMP-3.
           EXEC SQL DECLARE C1 CURSOR FOR
             SELECT NUMBER, AMOUNT FROM PAY ORDER BY NUMBER END-EXEC.
           EXEC SQL DECLARE C2 CURSOR WITH HOLD FOR
             SELECT NUMBER, AMOUNT FROM PAY ORDER BY NUMBER END-EXEC.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       PROCEDURE DIVISION.
           PERFORM READ-IT.
           EVALUATE DFHCOMMAREA(1:8)
             WHEN 'OTHERS'
               PERFORM READ-IT
               PERFORM CHANGE-IT
               PERFORM READ-IT
             WHEN 'OWN'
               PERFORM READ-IT
               EXEC SQL UPDATE PAY SET AMOUNT = 7
                 WHERE NUMBER = 1 END-EXEC
               PERFORM READ-IT
               EXEC CICS SYNCPOINT ROLLBACK END-EXEC
               PERFORM READ-IT
               PERFORM READ-IT
             WHEN 'CURSOR'
               EXEC SQL OPEN C1 END-EXEC
               PERFORM SAY-CODE
               EXEC SQL OPEN C1 END-EXEC
               PERFORM SAY-CODE
               PERFORM FETCH-IT
               PERFORM CHANGE-IT
               PERFORM FETCH-IT
               PERFORM FETCH-IT
               PERFORM FETCH-IT
               EXEC SQL CLOSE C1 END-EXEC
               EXEC SQL OPEN C1 END-EXEC
               EXEC CICS SYNCPOINT END-EXEC
               PERFORM FETCH-IT
             WHEN 'HOLD'
               EXEC SQL OPEN C2 END-EXEC
               EXEC CICS SYNCPOINT END-EXEC
               PERFORM READ-IT
               EXEC SQL FETCH C2 INTO :ROW-NUMBER, :AMOUNT END-EXEC
               PERFORM SAY-CODE
               EXEC SQL OPEN C2 END-EXEC
               PERFORM SAY-CODE
             WHEN 'LATE'
               EXEC SQL OPEN C1 END-EXEC
               EXEC SQL UPDATE PAY SET AMOUNT = 9
                 WHERE NUMBER = 1 END-EXEC
               PERFORM FETCH-IT
               PERFORM READ-IT
               EXEC CICS SYNCPOINT ROLLBACK END-EXEC
               PERFORM FETCH-IT
             WHEN 'DEFINE'
               PERFORM CITY-IT
               EXEC CICS RUN TRANSID('DDLX') CHILD(TOKEN) END-EXEC
               EXEC CICS FETCH CHILD(TOKEN) COMPSTATUS(STATUS-OF)
                 END-EXEC
               PERFORM CITY-IT
             WHEN 'SEVERAL'
               EXEC SQL SELECT NUMBER INTO :ROW-NUMBER FROM PAY
                 END-EXEC
               PERFORM SAY-CODE
               EXEC SQL SELECT NUMBER INTO :ROW-NUMBER FROM PAY
                 WHERE NUMBER = 99 END-EXEC
               PERFORM SAY-CODE
               EXEC SQL SELECT AMOUNT / (NUMBER - 1) INTO :ROW-NUMBER
                 FROM PAY WHERE NUMBER = 1 END-EXEC
               PERFORM SAY-CODE
             WHEN 'FAIL'
               PERFORM READ-IT
               EXEC SQL OPEN C1 END-EXEC
               ADD 1 TO BAD
           END-EVALUATE.
           MOVE FOUND TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
       READ-IT.
           EXEC SQL SELECT AMOUNT INTO :AMOUNT FROM PAY
             WHERE NUMBER = 1 END-EXEC.
           IF SQLCODE = 0
              MOVE AMOUNT TO SHOWN
              PERFORM SAY
           ELSE
              PERFORM SAY-CODE
           END-IF.
       CITY-IT.
           EXEC SQL SELECT CITY INTO :CITY FROM PLACE
             WHERE NUMBER = 1 END-EXEC.
           STRING CITY DELIMITED BY SPACE ' ' DELIMITED BY SIZE
             INTO FOUND WITH POINTER NEXT-AT.
       FETCH-IT.
           EXEC SQL FETCH C1 INTO :ROW-NUMBER, :AMOUNT END-EXEC.
           IF SQLCODE = 0
              MOVE AMOUNT TO SHOWN
              PERFORM SAY
           ELSE
              PERFORM SAY-CODE
           END-IF.
       CHANGE-IT.
           EXEC CICS RUN TRANSID('CHNG') CHILD(TOKEN) END-EXEC.
           EXEC CICS FETCH CHILD(TOKEN) COMPSTATUS(STATUS-OF) END-EXEC.
       SAY-CODE.
           MOVE SQLCODE TO SHOWN.
           PERFORM SAY.
       SAY.
           STRING SHOWN DELIMITED BY SIZE
             INTO FOUND WITH POINTER NEXT-AT.
