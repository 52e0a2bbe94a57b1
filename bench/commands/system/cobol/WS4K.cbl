      * Checks that its WORKING-STORAGE is fresh, then dirties it.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. WS4K.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-FLAG               PIC X VALUE 'F'.
       01  WS-AREA               PIC X(4096) VALUE SPACES.
       LINKAGE SECTION.
       01  DFHCOMMAREA           PIC X(100).
       PROCEDURE DIVISION.
           IF WS-FLAG NOT = 'F'
               EXEC CICS ABEND ABCODE('OLDS') END-EXEC
           END-IF.
           MOVE 'D' TO WS-FLAG.
           MOVE 'X' TO WS-AREA (4096:1).
           EXEC CICS RETURN END-EXEC.
