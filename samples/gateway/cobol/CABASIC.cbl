       CBL CICS('SP')
      *----------------------------------------------------------------
      * CABASIC - answers a small request with 1 to 16 KB of data.
      *
      * The caller sends two counts in the COMMAREA; the program fills
      * the same COMMAREA with a 32-byte header and COUNT-OUT - 1
      * elements of 32 characters, each with its own number.
      *----------------------------------------------------------------
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CABASIC.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-LIMITS.
           05  WS-HEADER-BYTES       PIC S9(8) COMP-5 VALUE 32.
           05  WS-BLOCK-BYTES        PIC S9(8) COMP-5 VALUE 32.
           05  WS-ELEMENTS-MAX       PIC S9(8) COMP-5 VALUE 511.
       01  WS-COUNTS.
           05  WS-ROOM               PIC S9(8) COMP-5.
           05  WS-ELEMENTS           PIC S9(8) COMP-5.
           05  WS-INDEX              PIC S9(8) COMP-5.
       01  WS-ELEMENT.
           05  WS-NUMBER             PIC 9(4).
           05  FILLER                PIC X(28)
               VALUE '-ABCDEFGHIJKLMNOPQRSTUVWXYZ-'.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           03  CA-RESPONSE.
           COPY CAB16K.
           03  CA-REQUEST REDEFINES CA-RESPONSE.
           COPY CABREQ.
       PROCEDURE DIVISION.
       MAIN-LINE.
           IF EIBCALEN < WS-HEADER-BYTES
               EXEC CICS ABEND ABCODE('CABL') END-EXEC
           END-IF.
           PERFORM SIZE-THE-REPLY.
           PERFORM FILL-THE-ELEMENTS.
           MOVE 0           TO RECV-SIZE.
           COMPUTE SEND-SIZE =
               WS-HEADER-BYTES + WS-ELEMENTS * WS-BLOCK-BYTES.
           MOVE EIBTASKN    TO TASKID.
           MOVE EIBTRNID    TO TRANID.
           MOVE SPACES      TO RS-SPARE.
           EXEC CICS RETURN END-EXEC.

      * No more than the caller has room for and the copybook holds.
       SIZE-THE-REPLY.
           COMPUTE WS-ROOM =
               (EIBCALEN - WS-HEADER-BYTES) / WS-BLOCK-BYTES.
           COMPUTE WS-ELEMENTS = COUNT-OUT - 1.
           IF WS-ELEMENTS < 0
               MOVE 0 TO WS-ELEMENTS
           END-IF.
           IF WS-ELEMENTS > WS-ROOM
               MOVE WS-ROOM TO WS-ELEMENTS
           END-IF.
           IF WS-ELEMENTS > WS-ELEMENTS-MAX
               MOVE WS-ELEMENTS-MAX TO WS-ELEMENTS
           END-IF.

       FILL-THE-ELEMENTS.
           PERFORM VARYING WS-INDEX FROM 1 BY 1
                   UNTIL WS-INDEX > WS-ELEMENTS
               MOVE WS-INDEX   TO WS-NUMBER
               MOVE WS-ELEMENT TO USER-DATA (WS-INDEX)
           END-PERFORM.
