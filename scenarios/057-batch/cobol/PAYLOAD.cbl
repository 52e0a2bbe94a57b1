       CBL SQL
      * Writes as many records and rows as PARM says.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. PAYLOAD.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT MASTER ASSIGN TO PAYMAST
             ORGANIZATION IS INDEXED ACCESS MODE IS SEQUENTIAL
             RECORD KEY IS PAY-ID FILE STATUS IS WS-STATUS.
       DATA DIVISION.
       FILE SECTION.
       FD  MASTER.
       01  PAY-RECORD.
           05 PAY-ID               PIC X(4).
           05 PAY-NAME             PIC X(16).
       WORKING-STORAGE SECTION.
       01  WS-STATUS               PIC XX.
       01  WS-COUNT                PIC 9(4).
       01  WS-NUMBER               PIC 9(4).
       01  WS-CODE                 PIC -(8)9.
       01  HV-ID                   PIC X(4).
       01  HV-AMOUNT               PIC S9(5)V99 COMP-3.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       LINKAGE SECTION.
       01  PARM.
           05 PARM-LENGTH          PIC S9(4) BINARY.
           05 PARM-TEXT            PIC X(100).
       PROCEDURE DIVISION USING PARM.
           IF PARM-LENGTH = 0
             DISPLAY 'HOW MANY?'
             MOVE 8 TO RETURN-CODE
             GOBACK
           END-IF
           MOVE FUNCTION NUMVAL(PARM-TEXT(1:PARM-LENGTH)) TO WS-COUNT
           OPEN OUTPUT MASTER
           DISPLAY 'OPEN ' WS-STATUS
           PERFORM VARYING WS-NUMBER FROM 1 BY 1
               UNTIL WS-NUMBER > WS-COUNT
             MOVE WS-NUMBER TO PAY-ID HV-ID
             MOVE 'SOMEBODY' TO PAY-NAME
             WRITE PAY-RECORD
             COMPUTE HV-AMOUNT = WS-NUMBER + 0.25
             EXEC SQL
               INSERT INTO PAY (ID, AMOUNT) VALUES (:HV-ID, :HV-AMOUNT)
             END-EXEC
             MOVE SQLCODE TO WS-CODE
             IF SQLCODE NOT = 0 DISPLAY 'INSERT ' WS-CODE END-IF
             EXEC SQL COMMIT END-EXEC
             MOVE SQLCODE TO WS-CODE
             IF SQLCODE NOT = 0 DISPLAY 'COMMIT ' WS-CODE END-IF
           END-PERFORM
           CLOSE MASTER
           DISPLAY 'CLOSE ' WS-STATUS ', ' WS-COUNT ' RECORDS'
           GOBACK.
