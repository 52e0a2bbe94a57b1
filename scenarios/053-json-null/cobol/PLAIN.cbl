       IDENTIFICATION DIVISION.
       PROGRAM-ID. PLAIN.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  CCSID PIC 9(4).
       01  DOC PIC X(55).
       01  ACCOUNT-DATA.
           05 CREDIT PIC 9(5).
           05 CUST-NAME PIC X(5).
       01  E-CODE PIC 999.
       01  E-STATUS PIC 9999.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 PAGE-NO PIC 9(4).
           05 FILLER PIC X.
           05 JSON-TEXT PIC X(55).
       PROCEDURE DIVISION.
           MOVE PAGE-NO TO CCSID.
           MOVE JSON-TEXT TO DOC.
           MOVE SPACES TO DFHCOMMAREA.
           MOVE 42 TO CREDIT.
           MOVE 'OLD' TO CUST-NAME.
           JSON PARSE DOC INTO ACCOUNT-DATA
               ENCODING CCSID
               NAME OF ACCOUNT-DATA IS 'account'
                       CREDIT IS 'limit'
                       CUST-NAME IS 'name'
             ON EXCEPTION CONTINUE
           END-JSON.
           MOVE JSON-CODE TO E-CODE.
           MOVE JSON-STATUS TO E-STATUS.
           STRING 'LIMIT ' CREDIT ' NAME ' DELIMITED BY SIZE
             CUST-NAME DELIMITED BY SPACE
             ' CODE ' E-CODE ' STATUS ' E-STATUS DELIMITED BY SIZE
             INTO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
