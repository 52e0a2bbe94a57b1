      * Screens 2 and 3 of the Global Auto Mall, transaction GAMS: who
      * the user is, by a table of the mall, and which application.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. GAMSIGN.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  WS-RESP               PIC S9(8) COMP.
       01  WS-USER               PIC X(8).
       01  WS-PASSWORD           PIC X(8).
       01  WS-NAME               PIC X(20).
       01  WS-MESSAGE            PIC X(70) VALUE SPACES.
           COPY GAMCOMM.
           COPY GAMSET.
           COPY DFHAID.
       LINKAGE SECTION.
       01  DFHCOMMAREA           PIC X(97).
       PROCEDURE DIVISION.
       MAIN-PARA.
           EXEC SQL WHENEVER SQLERROR GO TO SQL-FAILED END-EXEC.
           IF EIBCALEN = 0
               PERFORM SELECTION
           END-IF.
           MOVE DFHCOMMAREA TO GAM-COMMAREA.
           IF COMM-SHOW = 'Y'
               PERFORM SEND-SIGN-ON
           END-IF.
           IF EIBAID = DFHPF3
               PERFORM SELECTION
           END-IF.
           IF COMM-USER = SPACES
               PERFORM SIGN-ON
           ELSE
               PERFORM APPLICATION
           END-IF.

       SELECTION.
           INITIALIZE GAM-COMMAREA.
           MOVE 'Y' TO COMM-SHOW.
           EXEC CICS XCTL PROGRAM('GAMUSS') COMMAREA(GAM-COMMAREA)
           END-EXEC.

       SIGN-ON.
           EXEC CICS RECEIVE MAP('SIGNMAP') MAPSET('GAMSET')
                RESP(WS-RESP)
           END-EXEC.
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE LOW-VALUES TO SIGNMAPO
           END-IF.
           INSPECT USERIDI REPLACING ALL LOW-VALUE BY SPACE.
           INSPECT PASSWDI REPLACING ALL LOW-VALUE BY SPACE.
           MOVE FUNCTION UPPER-CASE(USERIDI) TO WS-USER.
           IF WS-USER = SPACES
               MOVE 'Type a user identifier.' TO WS-MESSAGE
               PERFORM SEND-SIGN-ON
           END-IF.
           MOVE SPACES TO WS-PASSWORD WS-NAME.
           EXEC SQL
             SELECT PASSWORD, NAME INTO :WS-PASSWORD, :WS-NAME
               FROM MALLUSER WHERE USERID = :WS-USER
           END-EXEC.
           IF SQLCODE = 100 OR PASSWDI NOT = WS-PASSWORD
               MOVE 'This user and this password do not go together.'
                   TO WS-MESSAGE
               PERFORM SEND-SIGN-ON
           END-IF.
           MOVE WS-USER TO COMM-USER.
           MOVE WS-NAME TO COMM-NAME.
           PERFORM SEND-NAME.

       APPLICATION.
           EXEC CICS RECEIVE MAP('APPMAP') MAPSET('GAMSET')
                RESP(WS-RESP)
           END-EXEC.
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE LOW-VALUES TO APPMAPO
           END-IF.
           INSPECT APPNAMEI REPLACING ALL LOW-VALUE BY SPACE.
           IF FUNCTION UPPER-CASE(APPNAMEI) NOT = 'GAM'
               MOVE 'There is no such application: GAM is one.'
                   TO WS-MESSAGE
               PERFORM SEND-NAME
           END-IF.
           MOVE 'Y' TO COMM-SHOW.
           EXEC CICS XCTL PROGRAM('GAMMENU') COMMAREA(GAM-COMMAREA)
           END-EXEC.

       SEND-SIGN-ON.
           MOVE LOW-VALUES TO SIGNMAPO.
           MOVE SPACES TO COMM-USER COMM-NAME.
           MOVE WS-MESSAGE TO SIGNMSGO.
           EXEC CICS SEND MAP('SIGNMAP') MAPSET('GAMSET')
                FROM(SIGNMAPO) ERASE
           END-EXEC.
           PERFORM NEXT-KEY.

       SEND-NAME.
           MOVE LOW-VALUES TO APPMAPO.
           MOVE COMM-NAME TO APPUSERO.
           MOVE WS-MESSAGE TO APPMSGO.
           EXEC CICS SEND MAP('APPMAP') MAPSET('GAMSET')
                FROM(APPMAPO) ERASE
           END-EXEC.
           PERFORM NEXT-KEY.

       NEXT-KEY.
           MOVE SPACE TO COMM-SHOW.
           EXEC CICS RETURN TRANSID('GAMS') COMMAREA(GAM-COMMAREA)
           END-EXEC.

      * The code tells the operator why.
       SQL-FAILED.
           EXEC CICS WRITEQ TD QUEUE('CSMT') FROM(SQLCA)
             NOHANDLE END-EXEC.
           EXEC CICS ABEND ABCODE('GAMS') END-EXEC.
