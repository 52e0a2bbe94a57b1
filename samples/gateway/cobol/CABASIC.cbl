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
           05  WS-TEN-BYTES          PIC S9(8) COMP-5 VALUE 320.
       01  WS-COUNTS.
           05  WS-ROOM               PIC S9(8) COMP-5.
           05  WS-ELEMENTS           PIC S9(8) COMP-5.
           05  WS-INDEX              PIC S9(8) COMP-5.
           05  WS-TENS               PIC 9(3).
           05  WS-TENS-X             REDEFINES WS-TENS PIC X(3).
           05  WS-FROM               PIC S9(8) COMP-5.
           05  WS-SKIP               PIC S9(8) COMP-5.
           05  WS-BYTES              PIC S9(8) COMP-5.
           05  WS-LEFT               PIC S9(8) COMP-5.
      * Ten elements; their first three digits are set as they are used.
       01  WS-TEN-VALUES.
           05  FILLER                PIC X(4)  VALUE '0000'.
           05  FILLER                PIC X(28)
               VALUE '-ABCDEFGHIJKLMNOPQRSTUVWXYZ-'.
           05  FILLER                PIC X(4)  VALUE '0001'.
           05  FILLER                PIC X(28)
               VALUE '-ABCDEFGHIJKLMNOPQRSTUVWXYZ-'.
           05  FILLER                PIC X(4)  VALUE '0002'.
           05  FILLER                PIC X(28)
               VALUE '-ABCDEFGHIJKLMNOPQRSTUVWXYZ-'.
           05  FILLER                PIC X(4)  VALUE '0003'.
           05  FILLER                PIC X(28)
               VALUE '-ABCDEFGHIJKLMNOPQRSTUVWXYZ-'.
           05  FILLER                PIC X(4)  VALUE '0004'.
           05  FILLER                PIC X(28)
               VALUE '-ABCDEFGHIJKLMNOPQRSTUVWXYZ-'.
           05  FILLER                PIC X(4)  VALUE '0005'.
           05  FILLER                PIC X(28)
               VALUE '-ABCDEFGHIJKLMNOPQRSTUVWXYZ-'.
           05  FILLER                PIC X(4)  VALUE '0006'.
           05  FILLER                PIC X(28)
               VALUE '-ABCDEFGHIJKLMNOPQRSTUVWXYZ-'.
           05  FILLER                PIC X(4)  VALUE '0007'.
           05  FILLER                PIC X(28)
               VALUE '-ABCDEFGHIJKLMNOPQRSTUVWXYZ-'.
           05  FILLER                PIC X(4)  VALUE '0008'.
           05  FILLER                PIC X(28)
               VALUE '-ABCDEFGHIJKLMNOPQRSTUVWXYZ-'.
           05  FILLER                PIC X(4)  VALUE '0009'.
           05  FILLER                PIC X(28)
               VALUE '-ABCDEFGHIJKLMNOPQRSTUVWXYZ-'.
       01  WS-TEN-ELEMENTS           REDEFINES WS-TEN-VALUES.
           05  WS-ELEMENT            OCCURS 10 TIMES.
               10  WS-LEADING        PIC X(3).
               10  WS-LAST-DIGIT     PIC X.
               10  FILLER            PIC X(28).
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

      * Ten at a time: of ten numbers only the last digits differ.
      * Element n lies at n times the length of a block.
       FILL-THE-ELEMENTS.
           COMPUTE WS-LEFT = WS-ELEMENTS * WS-BLOCK-BYTES.
           MOVE WS-BLOCK-BYTES TO WS-FROM.
           MOVE WS-BLOCK-BYTES TO WS-SKIP.
           MOVE 0 TO WS-TENS.
           PERFORM MOVE-TEN-ELEMENTS UNTIL WS-LEFT <= 0.

      * The first ten has no number 0: one block is skipped.
       MOVE-TEN-ELEMENTS.
           PERFORM VARYING WS-INDEX FROM 1 BY 1 UNTIL WS-INDEX > 10
               MOVE WS-TENS-X TO WS-LEADING (WS-INDEX)
           END-PERFORM.
           MOVE WS-TEN-BYTES TO WS-BYTES.
           SUBTRACT WS-SKIP FROM WS-BYTES.
           IF WS-BYTES > WS-LEFT
               MOVE WS-LEFT TO WS-BYTES
           END-IF.
           MOVE WS-TEN-ELEMENTS (WS-SKIP + 1 : WS-BYTES)
               TO CA-RESPONSE (WS-FROM + 1 : WS-BYTES).
           ADD WS-BYTES TO WS-FROM.
           SUBTRACT WS-BYTES FROM WS-LEFT.
           ADD 1 TO WS-TENS.
           MOVE 0 TO WS-SKIP.
