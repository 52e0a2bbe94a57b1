       IDENTIFICATION DIVISION.
       PROGRAM-ID. WHERE.
      * Says where it runs, and comes back there.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-APPLID PIC X(8).
       01  WS-LEN PIC S9(4) COMP VALUE 40.
       01  WS-IN PIC X(40) VALUE SPACES.
       01  RC PIC S9(8) COMP.
       01  WS-LINE PIC X(60) VALUE SPACES.
       01  WS-AREA.
           05 WS-SYSID PIC X(4).
           05 WS-MARK PIC X(4) VALUE SPACES.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-SYSID PIC X(4).
           05 CA-MARK PIC X(4).
       PROCEDURE DIVISION.
           EXEC CICS ASSIGN APPLID(WS-APPLID) SYSID(WS-SYSID)
               END-EXEC.
           EXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN)
               RESP(RC) END-EXEC.
           IF WS-IN(6:4) = 'ABND'
               EXEC CICS ABEND ABCODE('OOPS') END-EXEC
           END-IF.
           IF EIBCALEN = 0
               STRING 'FIRST IN ' WS-APPLID EIBTRNID
                   DELIMITED BY SIZE INTO WS-LINE
           ELSE
               STRING 'AGAIN IN ' WS-APPLID EIBTRNID ' ' CA-MARK
                   DELIMITED BY SIZE INTO WS-LINE
           END-IF.
           EXEC CICS SEND TEXT FROM(WS-LINE) LENGTH(60)
               ERASE FREEKB END-EXEC.
           IF EIBCALEN = 0
               EXEC CICS RETURN TRANSID('DYNA') COMMAREA(WS-AREA)
                   LENGTH(8) END-EXEC
           END-IF.
           EXEC CICS RETURN END-EXEC.
