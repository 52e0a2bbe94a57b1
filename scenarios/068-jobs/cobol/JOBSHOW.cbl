      * What is in the file; a wrong number ends the step.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. JOBSHOW.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT COPIED ASSIGN TO COPIED FILE STATUS IS WS-STATUS.
       DATA DIVISION.
       FILE SECTION.
       FD  COPIED RECORDING MODE IS F.
       01  COPY-RECORD.
           05 COPY-ID              PIC X(4).
           05 COPY-NAME            PIC X(12).
           05 COPY-AMOUNT          PIC S9(5)V99 COMP-3.
       WORKING-STORAGE SECTION.
       01  WS-STATUS               PIC XX.
       01  WS-SUM                  PIC S9(7)V99 COMP-3 VALUE 0.
       01  WS-SHOWN                PIC Z(6)9.99.
       PROCEDURE DIVISION.
           OPEN INPUT COPIED
           DISPLAY 'OPEN ' WS-STATUS
           IF WS-STATUS NOT = '00' MOVE 12 TO RETURN-CODE GOBACK END-IF
           READ COPIED
           PERFORM UNTIL WS-STATUS NOT = '00'
             ADD COPY-AMOUNT TO WS-SUM
             READ COPIED
           END-PERFORM
           MOVE WS-SUM TO WS-SHOWN
           DISPLAY 'SUM ' WS-SHOWN ' ' WS-STATUS
           READ COPIED
           DISPLAY 'BEHIND ' WS-STATUS
           CLOSE COPIED
           GOBACK.
