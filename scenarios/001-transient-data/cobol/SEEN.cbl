      * Answers the number of items of a temporary storage queue and
      * the first of them.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. SEEN.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  SHOW PIC 9.
       01  D PIC X(80).
       01  L PIC S9(4) COMP VALUE 80.
       01  N PIC S9(4) COMP VALUE 0.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       PROCEDURE DIVISION.
           EXEC CICS READQ TS QUEUE(CA-TEXT (1:8)) INTO(D) LENGTH(L)
                ITEM(1) NUMITEMS(N) RESP(RC) END-EXEC.
           MOVE SPACES TO CA-TEXT.
           IF RC NOT = 0
              MOVE 'NOTHING' TO CA-TEXT
           ELSE
              MOVE N TO SHOW
              STRING SHOW ' ' D (1:L) DELIMITED BY SIZE INTO CA-TEXT.
           EXEC CICS RETURN END-EXEC.
