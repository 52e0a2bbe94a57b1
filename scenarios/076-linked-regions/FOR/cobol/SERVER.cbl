       IDENTIFICATION DIVISION.
       PROGRAM-ID. SERVER.
      * What programs of other regions link to: by the first letters
      * of the COMMAREA.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  RC2 PIC S9(8) COMP VALUE 0.
       01  CODE-S PIC X(2).
       01  USER-ID PIC X(8).
       01  ID-S PIC X(4).
       01  SHOWN.
           05 SHOWN-RESP PIC 999.
           05 FILLER PIC X VALUE SPACE.
           05 SHOWN-RESP2 PIC 999.
       01  REC PIC X(20).
       01  KEY-F PIC X(4).
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(20).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS ASSIGN STARTCODE(CODE-S) SYSID(ID-S)
             USERID(USER-ID) END-EXEC.
           IF EIBCALEN = 0
             EXEC CICS GET CONTAINER('ASKED') INTO(REC) END-EXEC
             MOVE 'TOLD' TO REC (1:4)
             EXEC CICS PUT CONTAINER('TOLD') FROM(REC) END-EXEC
             EXEC CICS RETURN END-EXEC
           END-IF.
           EVALUATE DFHCOMMAREA (1:4)
             WHEN 'WHO '
               STRING ID-S ' ' EIBTRNID ' ' CODE-S ' '
                 DELIMITED BY SIZE INTO DFHCOMMAREA
             WHEN 'SYNC'
               EXEC CICS SYNCPOINT RESP(RC) RESP2(RC2) END-EXEC
               MOVE RC TO SHOWN-RESP
               MOVE RC2 TO SHOWN-RESP2
               MOVE SHOWN TO DFHCOMMAREA
             WHEN 'SCRN'
               EXEC CICS SEND TEXT FROM(SHOWN)
                 RESP(RC) RESP2(RC2) END-EXEC
               MOVE RC TO SHOWN-RESP
               MOVE RC2 TO SHOWN-RESP2
               MOVE SHOWN TO DFHCOMMAREA
             WHEN 'BANG'
               EXEC CICS ABEND ABCODE('BANG') NODUMP END-EXEC
             WHEN 'ROUN'
               EXEC CICS LINK PROGRAM('ROUND')
                 COMMAREA(DFHCOMMAREA) RESP(RC) RESP2(RC2) END-EXEC
               MOVE RC TO SHOWN-RESP
               MOVE RC2 TO SHOWN-RESP2
               MOVE SHOWN TO DFHCOMMAREA
             WHEN OTHER
               MOVE DFHCOMMAREA (1:4) TO KEY-F
               MOVE DFHCOMMAREA TO REC
               EXEC CICS WRITE FILE('DATA') FROM(REC)
                 RIDFLD(KEY-F) RESP(RC) RESP2(RC2) END-EXEC
               MOVE RC TO SHOWN-RESP
               MOVE RC2 TO SHOWN-RESP2
               MOVE SHOWN TO DFHCOMMAREA
           END-EVALUATE.
           EXEC CICS RETURN END-EXEC.
