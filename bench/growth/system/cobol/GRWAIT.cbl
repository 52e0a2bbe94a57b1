      * Uses a part of its storage and waits, as a conversation does.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. GRWAIT.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-SCREEN             PIC X(4000) VALUE SPACES.
       01  WS-NAME               PIC X(16) VALUE 'GROWTH WAITS'.
       PROCEDURE DIVISION.
           MOVE ALL '.' TO WS-SCREEN.
           EXEC CICS DELAY FOR HOURS(1) END-EXEC.
           EXEC CICS RETURN END-EXEC.
