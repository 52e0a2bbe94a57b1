      * Started with the name of a queue: writes what it was given
      * there.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. PAY.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  GIVEN.
           05 QUEUE-NAME PIC X(8).
           05 REST PIC X(12).
       01  GIVEN-LENGTH PIC S9(4) COMP VALUE 20.
       PROCEDURE DIVISION.
           EXEC CICS RETRIEVE INTO(GIVEN) LENGTH(GIVEN-LENGTH)
                END-EXEC.
           EXEC CICS WRITEQ TS QUEUE(QUEUE-NAME) FROM(GIVEN)
                LENGTH(GIVEN-LENGTH) END-EXEC.
           DISPLAY 'TAKEN BY ' QUEUE-NAME.
           EXEC CICS RETURN END-EXEC.
