      * Stub behind account creation: gives the new account a number.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CREACC.
       DATA DIVISION.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           03  C-EYE             PIC X(4).
           03  C-CUSTNO          PIC 9(10).
           03  C-SORTCODE        PIC 9(6).
           03  C-NUMBER          PIC 9(8).
           03  C-ACC-TYPE        PIC X(8).
           03  C-INT-RT          PIC 9(4)V99.
           03  C-OPENED          PIC 9(8).
           03  C-OVERDR-LIM      PIC 9(8).
           03  C-LAST-STMT       PIC 9(8).
           03  C-NEXT-STMT       PIC 9(8).
           03  C-AVAIL-BAL       PIC S9(10)V99.
           03  C-ACT-BAL         PIC S9(10)V99.
           03  C-SUCCESS         PIC X.
           03  C-FAIL-CODE       PIC X.
       PROCEDURE DIVISION.
           IF C-ACC-TYPE = 'WRONG'
               MOVE 'N' TO C-SUCCESS
               MOVE 'A' TO C-FAIL-CODE
               EXEC CICS RETURN END-EXEC
           END-IF.
      * Members that the client leaves out arrive as low values.
           IF C-CUSTNO NOT NUMERIC OR C-INT-RT NOT NUMERIC
                   OR C-OVERDR-LIM NOT NUMERIC
               INITIALIZE DFHCOMMAREA
               MOVE 'N' TO C-SUCCESS
               MOVE 'B' TO C-FAIL-CODE
               EXEC CICS RETURN END-EXEC
           END-IF.
           MOVE 'ACCT'      TO C-EYE.
           MOVE 987654      TO C-SORTCODE.
           COMPUTE C-NUMBER = FUNCTION MOD(C-CUSTNO 10000000) + 1.
           MOVE C-OVERDR-LIM TO C-AVAIL-BAL.
           MULTIPLY C-INT-RT BY -1 GIVING C-ACT-BAL.
           MOVE 'Y'         TO C-SUCCESS.
           MOVE SPACE       TO C-FAIL-CODE.
           EXEC CICS RETURN END-EXEC.
