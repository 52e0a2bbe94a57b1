      * Writes an item into each of so many TS queues.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. GRTSQ.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-NAME.
           05  FILLER            PIC X(8) VALUE 'GROWTH'.
           05  WS-NUMBER         PIC 9(8).
       01  WS-ITEM               PIC X(40) VALUE 'AN ITEM'.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-FIRST          PIC 9(8).
           05  CA-LAST           PIC 9(8).
       PROCEDURE DIVISION.
           PERFORM VARYING WS-NUMBER FROM CA-FIRST BY 1
               UNTIL WS-NUMBER > CA-LAST
               EXEC CICS WRITEQ TS QNAME(WS-NAME) FROM(WS-ITEM)
               END-EXEC
           END-PERFORM.
           EXEC CICS RETURN END-EXEC.
