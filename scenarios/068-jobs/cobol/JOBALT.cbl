      * Records by an alternate key; the program says nothing of
      * duplicates, the catalog does.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. JOBALT.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT OWNED ASSIGN TO OWNED
             ORGANIZATION IS INDEXED
             ACCESS MODE IS DYNAMIC
             RECORD KEY IS OWNED-ID
             ALTERNATE RECORD KEY IS OWNED-BY
             FILE STATUS IS WS-STATUS.
       DATA DIVISION.
       FILE SECTION.
       FD  OWNED.
       01  OWNED-RECORD.
           05 OWNED-ID             PIC X(4).
           05 OWNED-BY             PIC X(6).
           05 OWNED-WHAT           PIC X(6).
           05 FILLER               PIC X(64).
       WORKING-STORAGE SECTION.
       01  WS-STATUS               PIC XX.
       PROCEDURE DIVISION.
           OPEN INPUT OWNED
           DISPLAY 'OPEN ' WS-STATUS
           MOVE 'SMITH' TO OWNED-BY
           READ OWNED KEY IS OWNED-BY
           PERFORM UNTIL WS-STATUS > '02' OR OWNED-BY NOT = 'SMITH'
             DISPLAY 'READ ' WS-STATUS " " OWNED-ID " " OWNED-WHAT
             READ OWNED NEXT
           END-PERFORM
           CLOSE OWNED
           GOBACK.
