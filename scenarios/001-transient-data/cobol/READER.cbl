      * Started by a queue: reads it empty and writes its STARTCODE and
      * the number of records to temporary storage queue SEEN + name.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. READER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  SCODE PIC X(2).
       01  SHOW PIC Z(8)9.
       01  D PIC X(80).
       01  L PIC S9(4) COMP.
       01  N PIC S9(4) COMP VALUE 0.
       01  QUEUE-NAME PIC X(4).
       01  SEEN-NAME.
           05 FILLER PIC X(4) VALUE 'SEEN'.
           05 SEEN-QUEUE PIC X(4).
       PROCEDURE DIVISION.
           EXEC CICS ASSIGN QNAME(QUEUE-NAME) END-EXEC.
           PERFORM UNTIL RC NOT = 0
              MOVE 80 TO L
              EXEC CICS READQ TD QUEUE(QUEUE-NAME) INTO(D) LENGTH(L)
                   RESP(RC) END-EXEC
              IF RC = 0 ADD 1 TO N END-IF
           END-PERFORM.
           IF RC NOT = DFHRESP(QZERO) MOVE 99 TO N.
           MOVE N TO SHOW.
           EXEC CICS ASSIGN STARTCODE(SCODE) END-EXEC.
           MOVE SPACES TO D.
           STRING SCODE SHOW DELIMITED BY SIZE INTO D.
           MOVE QUEUE-NAME TO SEEN-QUEUE.
           EXEC CICS WRITEQ TS QUEUE(SEEN-NAME) FROM(D) LENGTH(11)
                END-EXEC.
           EXEC CICS RETURN END-EXEC.
