       IDENTIFICATION DIVISION.
       PROGRAM-ID. CALLER.
      * LINK to the program of the first word, with the second one
      * in COMMAREA or container; with SYSID where there is a third.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP.
       01  RC2 PIC S9(8) COMP.
       01  WS-CODE PIC 999.
       01  WS-CODE2 PIC 999.
       01  WS-PROGRAM PIC X(8).
       01  WS-SYSID PIC X(4).
       01  WS-AREA.
           05 WS-WORD PIC X(4).
           05 WS-TEXT PIC X(36) VALUE SPACES.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 LK-KIND PIC X(1).
           05 LK-PROGRAM PIC X(8).
           05 LK-WORD PIC X(4).
           05 LK-SYSID PIC X(4).
           05 FILLER PIC X(43).
       PROCEDURE DIVISION.
           MOVE LK-PROGRAM TO WS-PROGRAM.
           MOVE LK-WORD TO WS-WORD.
           MOVE LK-SYSID TO WS-SYSID.
           EVALUATE LK-KIND
             WHEN 'A'
               EXEC CICS LINK PROGRAM(WS-PROGRAM) COMMAREA(WS-AREA)
                   RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'S'
               EXEC CICS LINK PROGRAM(WS-PROGRAM) COMMAREA(WS-AREA)
                   SYSID(WS-SYSID) RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'T'
               EXEC CICS LINK PROGRAM(WS-PROGRAM) COMMAREA(WS-AREA)
                   TRANSID('MIR2') SYNCONRETURN
                   RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'C'
               EXEC CICS PUT CONTAINER('DFHROUTE') CHANNEL('CHAN')
                   FROM(WS-WORD) END-EXEC
               EXEC CICS LINK PROGRAM(WS-PROGRAM) CHANNEL('CHAN')
                   RESP(RC) RESP2(RC2) END-EXEC
               IF RC = DFHRESP(NORMAL)
                 EXEC CICS GET CONTAINER('ANSWER') CHANNEL('CHAN')
                   INTO(WS-TEXT) END-EXEC
               END-IF
             WHEN 'H'
               EXEC CICS HANDLE ABEND LABEL(ABENDED) END-EXEC
               EXEC CICS LINK PROGRAM(WS-PROGRAM) COMMAREA(WS-AREA)
                   END-EXEC
           END-EVALUATE.
           PERFORM ANSWER.
           EXEC CICS RETURN END-EXEC.
       ABENDED.
           EXEC CICS ASSIGN ABCODE(WS-SYSID) END-EXEC.
      * The next LINK begins anew.
           MOVE 'FAR2' TO WS-WORD.
           EXEC CICS LINK PROGRAM(WS-PROGRAM) COMMAREA(WS-AREA)
               RESP(RC) RESP2(RC2) END-EXEC.
           MOVE WS-SYSID TO WS-TEXT(30:4).
           PERFORM ANSWER.
           EXEC CICS RETURN END-EXEC.
       ANSWER.
           MOVE RC TO WS-CODE.
           MOVE RC2 TO WS-CODE2.
           MOVE SPACES TO DFHCOMMAREA.
           STRING WS-CODE ' ' WS-CODE2 ' ' WS-TEXT
               DELIMITED BY SIZE INTO DFHCOMMAREA.
