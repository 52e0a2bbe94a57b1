       IDENTIFICATION DIVISION.
       PROGRAM-ID. HERE.
      * The end of a pseudo-conversation, in the terminal's own region.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-APPLID PIC X(8).
       01  WS-LINE PIC X(60) VALUE SPACES.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-COUNT PIC 9(4).
           05 CA-TEXT PIC X(20).
       PROCEDURE DIVISION.
           EXEC CICS ASSIGN APPLID(WS-APPLID) END-EXEC.
           IF EIBCALEN = 0
               STRING 'ALONE IN ' WS-APPLID
                   DELIMITED BY SIZE INTO WS-LINE
           ELSE
               STRING 'AFTER ' CA-COUNT ' IN ' WS-APPLID CA-TEXT
                   DELIMITED BY SIZE INTO WS-LINE
           END-IF.
           EXEC CICS SEND TEXT FROM(WS-LINE) LENGTH(60)
               ERASE FREEKB END-EXEC.
           EXEC CICS RETURN END-EXEC.
