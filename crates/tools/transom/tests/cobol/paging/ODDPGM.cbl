       IDENTIFICATION DIVISION.
       PROGRAM-ID. ODDPGM.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP.
       01  RC2 PIC S9(8) COMP.
       01  WS-OUT PIC X(40) VALUE SPACES.
       01  WS-STEP PIC 9(4) VALUE 0.
       01  WS-SHOW PIC Z(8)9.
       COPY ODDSET.
       01  WS-AMOUNT PIC 9(8)V99.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-COUNT PIC 9(4).
           05 CA-TEXT PIC X(36).
       PROCEDURE DIVISION.
           MOVE LOW-VALUES TO ODDMAPO.
           MOVE 1234.5 TO AMOUNTO.
           MOVE 'ONE' TO LINO (1).
           MOVE 'THREE' TO LINO (3).
           EXEC CICS SEND MAP('ODDMAP') MAPSET('ODDSET')
              FROM(ODDMAPO) ERASE WAIT END-EXEC.
           EXEC CICS RECEIVE MAP('ODDMAP') MAPSET('ODDSET')
              INTO(ODDMAPI) RESP(RC) END-EXEC.
           MOVE 1 TO WS-STEP.
           IF RC NOT = 0 GO TO BAD.
           MOVE 2 TO WS-STEP.
           IF AMOUNTL NOT = 3 OR AMOUNTI NOT = 1.23 GO TO BAD.
           MOVE 3 TO WS-STEP.
           IF LINL (2) NOT = 3 OR LINI (2) NOT = 'TWO  '
             OR LINL (1) NOT = 0 GO TO BAD.
           MOVE 4 TO WS-STEP.
           IF DAYI NOT = '24' OR MONI NOT = '12'
             GO TO BAD.
           MOVE 5 TO WS-STEP.
           IF MIXEDI NOT = 'MiXed ' GO TO BAD.
           MOVE 6 TO WS-STEP.
           IF RIGHTYI NOT = '000ABC' AND RIGHTYI NOT = '   ABC'
             GO TO BAD.
           MOVE 7 TO WS-STEP.
           IF RIGHTYF NOT = X'02' GO TO BAD.
           MOVE 'ALL IS WELL' TO WS-OUT.
       THE-END.
           EXEC CICS SEND TEXT FROM(WS-OUT) ERASE FREEKB END-EXEC.
           EXEC CICS RETURN END-EXEC.
       BAD.
           MOVE EIBRESP TO WS-SHOW.
           STRING 'STEP ' WS-STEP ' RESP ' WS-SHOW DELIMITED BY SIZE
               INTO WS-OUT.
           GO TO THE-END.
