       IDENTIFICATION DIVISION.
       PROGRAM-ID. ACCOUNT.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  DOC PIC X(60).
       01  ACCOUNT-DATA.
           05 CREDIT PIC 9(5).
           05 CREDIT-SET PIC X.
           05 CUST-NAME PIC X(5).
           05 NICK PIC X(5).
       01  E-CODE PIC 999.
       01  E-STATUS PIC 9999.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       PROCEDURE DIVISION.
           MOVE DFHCOMMAREA TO DOC.
           MOVE SPACES TO DFHCOMMAREA.
           MOVE 42 TO CREDIT.
           MOVE 'OLD' TO CUST-NAME.
           MOVE 'KEEP' TO NICK.
           JSON PARSE DOC INTO ACCOUNT-DATA
               IGNORING JSON NULL FOR CUST-NAME
               INDICATING CREDIT IS JSON NULL
                 USING 'N' AND 'Y' IN CREDIT-SET
               NAME OF ACCOUNT-DATA IS 'account'
                       CREDIT IS 'limit'
                       CUST-NAME IS 'name'
               CONVERTING NICK FROM JSON NULL USING SPACES
           END-JSON.
           MOVE JSON-CODE TO E-CODE.
           MOVE JSON-STATUS TO E-STATUS.
           PERFORM ANSWER.
           EXEC CICS RETURN END-EXEC.
       ANSWER.
           IF NICK = SPACES
             STRING 'LIMIT ' CREDIT ' ' CREDIT-SET
               ' NAME ' DELIMITED BY SIZE
               CUST-NAME DELIMITED BY SPACE
               ' NICK CODE ' E-CODE ' STATUS ' E-STATUS
               DELIMITED BY SIZE INTO DFHCOMMAREA
           ELSE
             STRING 'LIMIT ' CREDIT ' ' CREDIT-SET
               ' NAME ' DELIMITED BY SIZE
               CUST-NAME DELIMITED BY SPACE
               ' NICK ' DELIMITED BY SIZE
               NICK DELIMITED BY SPACE
               ' CODE ' E-CODE ' STATUS ' E-STATUS
               DELIMITED BY SIZE INTO DFHCOMMAREA
           END-IF.
