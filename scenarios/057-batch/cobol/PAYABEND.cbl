       CBL SQL
      * A row and a record, and then a number that is none.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. PAYABEND.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT MASTER ASSIGN TO PAYMAST
             ORGANIZATION IS INDEXED ACCESS MODE IS RANDOM
             RECORD KEY IS PAY-ID FILE STATUS IS WS-STATUS.
       DATA DIVISION.
       FILE SECTION.
       FD  MASTER.
       01  PAY-RECORD.
           05 PAY-ID               PIC X(4).
           05 PAY-NAME             PIC X(16).
       WORKING-STORAGE SECTION.
       01  WS-STATUS               PIC XX.
       01  WS-TEXT                 PIC X(4) VALUE 'NONE'.
       01  WS-PACKED REDEFINES WS-TEXT PIC S9(7) COMP-3.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       PROCEDURE DIVISION.
           OPEN I-O MASTER
           MOVE '0500STAYS' TO PAY-RECORD
           WRITE PAY-RECORD
           DISPLAY 'WRITE ' WS-STATUS
           EXEC SQL
             INSERT INTO PAY (ID, AMOUNT) VALUES ('0500', 99999.00)
           END-EXEC
           ADD 1 TO WS-PACKED
           GOBACK.
