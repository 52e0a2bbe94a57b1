      * Stub behind an account enquiry: answers what it was asked for
      * with values computed from the account number.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. INQACC.
       DATA DIVISION.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           03  A-EYE             PIC X(4).
           03  A-CUSTNO          PIC 9(10).
           03  A-SCODE           PIC 9(6).
           03  A-ACCNO           PIC 9(8).
           03  A-ACC-TYPE        PIC X(8).
           03  A-INT-RATE        PIC 9(4)V99.
           03  A-OPENED          PIC 9(8).
           03  A-OVERDRAFT       PIC 9(8).
           03  A-LAST-STMT       PIC 9(8).
           03  A-NEXT-STMT       PIC 9(8).
           03  A-AVAIL-BAL       PIC S9(10)V99.
           03  A-ACTUAL-BAL      PIC S9(10)V99.
           03  A-SUCCESS         PIC X.
           03  A-PCB             PIC X(4).
       PROCEDURE DIVISION.
           MOVE 'ACCT'      TO A-EYE.
           MOVE 1000000001  TO A-CUSTNO.
           MOVE 987654      TO A-SCODE.
           MOVE 'ISA'       TO A-ACC-TYPE.
           MOVE 2.1         TO A-INT-RATE.
           MOVE 31122020    TO A-OPENED.
           MOVE 100         TO A-OVERDRAFT.
           MOVE 1022021     TO A-LAST-STMT.
           MOVE 1032021     TO A-NEXT-STMT.
           COMPUTE A-AVAIL-BAL  = A-ACCNO * 1.5.
           COMPUTE A-ACTUAL-BAL = 0 - A-ACCNO - 0.25.
           MOVE 'Y'         TO A-SUCCESS.
           MOVE SPACES      TO A-PCB.
           IF A-ACCNO = 99999999
               MOVE 'N' TO A-SUCCESS
           END-IF.
           EXEC CICS RETURN END-EXEC.
