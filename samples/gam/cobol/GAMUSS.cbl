      * Screen 1 of the Global Auto Mall, transaction GAMU: selection of
      * an application, as VTAM asks for it with USSMSG10. A region has
      * no VTAM in front; GMTRAN starts this one at every terminal.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. GAMUSS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-RESP               PIC S9(8) COMP.
       01  WS-APPLID             PIC X(8).
       01  WS-NETNAME            PIC X(8).
       01  WS-WORD               PIC X(60).
       01  WS-NAME               PIC X(60).
       01  WS-MESSAGE            PIC X(70) VALUE SPACES.
           COPY GAMCOMM.
           COPY GAMSET.
           COPY DFHAID.
       LINKAGE SECTION.
       01  DFHCOMMAREA           PIC X(97).
       PROCEDURE DIVISION.
       MAIN-PARA.
           EXEC CICS ASSIGN APPLID(WS-APPLID) NETNAME(WS-NETNAME)
                RESP(WS-RESP)
           END-EXEC.
           IF EIBCALEN > 0
               MOVE DFHCOMMAREA TO GAM-COMMAREA
               IF COMM-SHOW = SPACE AND EIBAID = DFHENTER
                   PERFORM SELECT-APPLICATION
               END-IF
           END-IF.
           PERFORM SEND-SCREEN.

       SELECT-APPLICATION.
           EXEC CICS RECEIVE MAP('USSMAP') MAPSET('GAMSET')
                RESP(WS-RESP)
           END-EXEC.
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE LOW-VALUES TO USSMAPO
           END-IF.
           INSPECT USSCMDI REPLACING ALL LOW-VALUE BY SPACE.
           MOVE FUNCTION UPPER-CASE(USSCMDI) TO USSCMDI.
           IF USSCMDI = SPACES
               PERFORM SEND-SCREEN
           END-IF.
           MOVE SPACES TO WS-WORD WS-NAME.
           UNSTRING USSCMDI DELIMITED BY 'APPLID(' OR ')'
               INTO WS-WORD WS-NAME
           END-UNSTRING.
           IF WS-WORD NOT = 'LOGON'
               MOVE 'COMMAND UNRECOGNIZED: LOGON APPLID(name) is one.'
                   TO WS-MESSAGE
               PERFORM SEND-SCREEN
           END-IF.
           IF WS-NAME NOT = WS-APPLID
               STRING 'UNABLE TO ESTABLISH SESSION - '
                   DELIMITED BY SIZE
                   WS-NAME DELIMITED BY SPACE
                   ' IS NOT KNOWN HERE' DELIMITED BY SIZE
                   INTO WS-MESSAGE
               PERFORM SEND-SCREEN
           END-IF.
           INITIALIZE GAM-COMMAREA.
           MOVE 'Y' TO COMM-SHOW.
           EXEC CICS XCTL PROGRAM('GAMSIGN') COMMAREA(GAM-COMMAREA)
           END-EXEC.

       SEND-SCREEN.
           MOVE LOW-VALUES TO USSMAPO.
           MOVE EIBTRMID TO USSTERMO.
           MOVE WS-NETNAME TO USSNETO.
           STRING 'LOGON APPLID(' DELIMITED BY SIZE
               WS-APPLID DELIMITED BY SPACE
               ')' DELIMITED BY SIZE INTO USSHOWO.
           MOVE WS-MESSAGE TO USSMSGO.
           EXEC CICS SEND MAP('USSMAP') MAPSET('GAMSET')
                FROM(USSMAPO) ERASE
           END-EXEC.
           INITIALIZE GAM-COMMAREA.
           EXEC CICS RETURN TRANSID('GAMU') COMMAREA(GAM-COMMAREA)
           END-EXEC.
