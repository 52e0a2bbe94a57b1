      * What a step made is read again in it, by each DD statement.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. JOBAGAIN.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT MADE ASSIGN TO MADE FILE STATUS IS MADE-STATUS.
           SELECT SEEN ASSIGN TO SEEN FILE STATUS IS SEEN-STATUS.
           SELECT BOTH ASSIGN TO BOTH FILE STATUS IS BOTH-STATUS.
           SELECT VARIED ASSIGN TO VARIED FILE STATUS IS VARIED-STATUS.
           SELECT GROWN ASSIGN TO GROWN FILE STATUS IS GROWN-STATUS.
       DATA DIVISION.
       FILE SECTION.
       FD  MADE RECORDING MODE IS F.
       01  MADE-RECORD             PIC X(10).
       FD  SEEN RECORDING MODE IS F.
       01  SEEN-RECORD             PIC X(10).
       FD  BOTH RECORDING MODE IS F.
       01  BOTH-RECORD             PIC X(10).
       FD  VARIED RECORDING MODE IS V RECORD VARYING FROM 4 TO 20
           DEPENDING ON VARIED-LENGTH.
       01  VARIED-RECORD           PIC X(20).
       FD  GROWN RECORDING MODE IS F.
       01  GROWN-RECORD            PIC X(10).
       WORKING-STORAGE SECTION.
       01  MADE-STATUS             PIC XX.
       01  SEEN-STATUS             PIC XX.
       01  BOTH-STATUS             PIC XX.
       01  VARIED-STATUS           PIC XX.
       01  GROWN-STATUS            PIC XX.
       01  VARIED-LENGTH           PIC 9(4) COMP.
       PROCEDURE DIVISION.
      * DISP=NEW is allocated and empty.
           PERFORM READ-MADE
           OPEN OUTPUT MADE
           MOVE 'FIRST' TO MADE-RECORD
           WRITE MADE-RECORD
           MOVE 'SECOND' TO MADE-RECORD
           WRITE MADE-RECORD
           CLOSE MADE
           PERFORM READ-MADE
           OPEN EXTEND MADE
           MOVE 'THIRD' TO MADE-RECORD
           WRITE MADE-RECORD
           CLOSE MADE
           PERFORM READ-MADE
      * Another DD statement has the same name.
           OPEN INPUT SEEN
           READ SEEN
           DISPLAY 'SEEN ' SEEN-STATUS ' ' SEEN-RECORD
           CLOSE SEEN
      * OPEN OUTPUT begins anew.
           OPEN OUTPUT MADE
           MOVE 'ALONE' TO MADE-RECORD
           WRITE MADE-RECORD
           CLOSE MADE
           PERFORM READ-MADE
      * Data sets that are concatenated are only read.
           OPEN OUTPUT BOTH
           DISPLAY 'BOTH ' BOTH-STATUS
      * Lengths stay.
           OPEN OUTPUT VARIED
           MOVE 'FOUR' TO VARIED-RECORD
           MOVE 4 TO VARIED-LENGTH
           WRITE VARIED-RECORD
           MOVE 'TWENTY CHARACTERS ..' TO VARIED-RECORD
           MOVE 20 TO VARIED-LENGTH
           WRITE VARIED-RECORD
           CLOSE VARIED
           OPEN INPUT VARIED
           PERFORM UNTIL VARIED-STATUS NOT = '00'
             READ VARIED
             DISPLAY 'VARIED ' VARIED-STATUS ' ' VARIED-LENGTH
           END-PERFORM
           CLOSE VARIED
      * DISP=MOD goes on behind what is there.
           PERFORM 2 TIMES
             OPEN OUTPUT GROWN
             MOVE 'ONE MORE' TO GROWN-RECORD
             WRITE GROWN-RECORD
             CLOSE GROWN
           END-PERFORM
           OPEN INPUT GROWN
           PERFORM UNTIL GROWN-STATUS NOT = '00'
             READ GROWN
             DISPLAY 'GROWN ' GROWN-STATUS ' ' GROWN-RECORD
           END-PERFORM
           CLOSE GROWN
           GOBACK.
       READ-MADE.
           OPEN INPUT MADE
           DISPLAY 'OPEN ' MADE-STATUS
           PERFORM UNTIL MADE-STATUS NOT = '00'
             MOVE SPACES TO MADE-RECORD
             READ MADE
             IF MADE-STATUS = '00'
               DISPLAY 'MADE ' MADE-STATUS ' ' MADE-RECORD
             ELSE
               DISPLAY 'MADE ' MADE-STATUS
             END-IF
           END-PERFORM
           CLOSE MADE.
