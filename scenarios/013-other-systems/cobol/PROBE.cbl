       IDENTIFICATION DIVISION.
       PROGRAM-ID. PROBE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  RC2 PIC S9(8) COMP VALUE 0.
       01  SHOWN.
           05 SHOWN-RESP PIC 999.
           05 FILLER PIC X VALUE SPACE.
           05 SHOWN-RESP2 PIC 999.
       01  REC PIC X(40) VALUE 'K001'.
       01  KEY-F PIC X(4) VALUE 'K001'.
       01  TOKEN PIC X(16).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-WHAT PIC X(6).
           05 CA-NAME PIC X(8).
           05 FILLER PIC X(46).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EVALUATE CA-WHAT
             WHEN 'START'
               EXEC CICS START TRANSID(CA-NAME (1:4))
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'RUN'
               EXEC CICS RUN TRANSID(CA-NAME (1:4)) CHILD(TOKEN)
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'LINK'
               EXEC CICS LINK PROGRAM(CA-NAME)
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'XCTL'
               EXEC CICS XCTL PROGRAM(CA-NAME)
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'WRITE'
               EXEC CICS WRITE FILE(CA-NAME) FROM(REC) RIDFLD(KEY-F)
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'TD'
               EXEC CICS WRITEQ TD QUEUE(CA-NAME (1:4)) FROM(REC)
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'TS'
               EXEC CICS WRITEQ TS QUEUE(CA-NAME) FROM(REC)
                 RESP(RC) RESP2(RC2) END-EXEC
           END-EVALUATE.
           MOVE RC TO SHOWN-RESP.
           MOVE RC2 TO SHOWN-RESP2.
           MOVE SPACES TO DFHCOMMAREA.
           MOVE SHOWN TO DFHCOMMAREA.
           GOBACK.
