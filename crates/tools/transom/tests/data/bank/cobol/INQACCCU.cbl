      * Stub behind the accounts of a customer: as many accounts as the
      * last digit of the customer number, at most 20.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. INQACCCU.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-I                  PIC S9(8) COMP-5.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           03  L-COUNT           PIC S9(8) BINARY.
           03  L-CUSTNO          PIC 9(10).
           03  L-SUCCESS         PIC X.
           03  L-FAIL-CODE       PIC X.
           03  L-FOUND           PIC X.
           03  L-PCB             PIC X(4).
           03  L-ACCOUNT OCCURS 1 TO 20 TIMES DEPENDING ON L-COUNT.
               05  L-EYE         PIC X(4).
               05  L-ACUSTNO     PIC X(10).
               05  L-SCODE       PIC X(6).
               05  L-ACCNO       PIC 9(8).
               05  L-ACC-TYPE    PIC X(8).
               05  L-INT-RATE    PIC 9(4)V99.
               05  L-OPENED      PIC 9(8).
               05  L-OVERDRAFT   PIC 9(8).
               05  L-LAST-STMT   PIC 9(8).
               05  L-NEXT-STMT   PIC 9(8).
               05  L-AVAIL-BAL   PIC S9(10)V99.
               05  L-ACTUAL-BAL  PIC S9(10)V99.
       PROCEDURE DIVISION.
           COMPUTE L-COUNT = FUNCTION MOD(L-CUSTNO 10).
           MOVE 'Y' TO L-SUCCESS L-FOUND.
           MOVE SPACES TO L-FAIL-CODE L-PCB.
           PERFORM VARYING WS-I FROM 1 BY 1 UNTIL WS-I > L-COUNT
               MOVE 'ACCT'     TO L-EYE (WS-I)
               MOVE L-CUSTNO   TO L-ACUSTNO (WS-I)
               MOVE '987654'   TO L-SCODE (WS-I)
               MOVE WS-I       TO L-ACCNO (WS-I)
               MOVE 'CURRENT'  TO L-ACC-TYPE (WS-I)
               MOVE 0.5        TO L-INT-RATE (WS-I)
               MOVE 1012020    TO L-OPENED (WS-I)
               MOVE 0          TO L-OVERDRAFT (WS-I)
               MOVE 1012021    TO L-LAST-STMT (WS-I)
               MOVE 1022021    TO L-NEXT-STMT (WS-I)
               COMPUTE L-AVAIL-BAL (WS-I) = WS-I * -10.01
               COMPUTE L-ACTUAL-BAL (WS-I) = WS-I * 10.01
           END-PERFORM.
           EXEC CICS RETURN END-EXEC.
