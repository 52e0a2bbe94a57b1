       IDENTIFICATION DIVISION.
       PROGRAM-ID. WORK.
      * Says where it runs.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-APPLID PIC X(8).
       01  WS-CHANNEL PIC X(16).
       01  WS-FROM PIC X(8).
       01  WS-ROUTE PIC X(4).
       01  WS-TEXT PIC X(36) VALUE SPACES.
       01  RC PIC S9(8) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 LK-WORD PIC X(4).
           05 LK-TEXT PIC X(36).
       PROCEDURE DIVISION.
           EXEC CICS ASSIGN APPLID(WS-APPLID) CHANNEL(WS-CHANNEL)
               INVOKINGPROG(WS-FROM) END-EXEC.
           STRING WS-APPLID DELIMITED BY SPACE ' ' EIBTRNID
               DELIMITED BY SIZE INTO WS-TEXT.
           IF WS-APPLID = 'MIDDLE'
               MOVE WS-FROM TO WS-TEXT(15:8)
           END-IF.
           IF WS-CHANNEL NOT = SPACES
               EXEC CICS GET CONTAINER('DFHROUTE') INTO(WS-ROUTE)
                   RESP(RC) END-EXEC
               MOVE WS-ROUTE TO WS-TEXT(24:4)
               EXEC CICS PUT CONTAINER('ANSWER') FROM(WS-TEXT)
                   END-EXEC
               EXEC CICS RETURN END-EXEC
           END-IF.
           IF EIBCALEN = 0
               EXEC CICS RETURN END-EXEC
           END-IF.
           IF LK-WORD = 'ABND'
               EXEC CICS ABEND ABCODE('OOPS') END-EXEC
           END-IF.
           MOVE WS-TEXT TO LK-TEXT.
           EXEC CICS RETURN END-EXEC.
