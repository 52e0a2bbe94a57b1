      *> Puts all of a COMMAREA of 32,000 bytes, whatever it was given,
      *> into a queue, and answers how often SECRET stands in there.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LEAKS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-ITEM             PIC X(32000).
       01  WS-COUNT            PIC 9(8).
       01  WS-BYTES            PIC S9(4) COMP-5.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-COUNT        PIC 9(8).
           05  FILLER          PIC X(31992).
       PROCEDURE DIVISION.
           EXEC CICS WRITEQ TS QUEUE('LEAKS') FROM(DFHCOMMAREA)
               LENGTH(32000) END-EXEC.
           MOVE 32000 TO WS-BYTES.
           EXEC CICS READQ TS QUEUE('LEAKS') INTO(WS-ITEM)
               LENGTH(WS-BYTES) ITEM(1) END-EXEC.
           EXEC CICS DELETEQ TS QUEUE('LEAKS') END-EXEC.
           MOVE 0 TO WS-COUNT.
           INSPECT WS-ITEM TALLYING WS-COUNT FOR ALL 'SECRET'.
           MOVE WS-COUNT TO CA-COUNT.
           EXEC CICS RETURN END-EXEC.
