      * Menu of the customer sample, transaction MENU.
      * Pseudo-conversational: it ends after each screen, and RETURN
      * TRANSID names the transaction that the next key starts.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CUSTMENU.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-RESP               PIC S9(8) COMP.
       01  WS-MESSAGE            PIC X(70) VALUE SPACES.
       01  WS-GOODBYE            PIC X(40) VALUE
           'Good-bye. Type the next transaction.'.
           COPY CUSTCOMM.
           COPY CUSTSET.
           COPY DFHAID.
       LINKAGE SECTION.
       01  DFHCOMMAREA           PIC X(157).
       PROCEDURE DIVISION.
       MAIN-PARA.
           IF EIBCALEN = 0
               MOVE SPACES TO CUST-COMMAREA
               PERFORM SEND-MENU
           END-IF.
           MOVE DFHCOMMAREA TO CUST-COMMAREA.
      * XCTL from CUSTUPD: a new menu, perhaps with a message.
           IF EIBTRNID NOT = 'MENU'
               MOVE COMM-MESSAGE TO WS-MESSAGE
               MOVE SPACES TO CUST-COMMAREA
               PERFORM SEND-MENU
           END-IF.
           EVALUATE EIBAID
               WHEN DFHPF3
                   EXEC CICS SEND TEXT FROM(WS-GOODBYE)
                        ERASE FREEKB
                   END-EXEC
                   EXEC CICS RETURN END-EXEC
               WHEN DFHENTER
                   PERFORM CHOOSE
               WHEN OTHER
                   MOVE 'This key does nothing here.' TO WS-MESSAGE
                   PERFORM SEND-MENU
           END-EVALUATE.

       CHOOSE.
           EXEC CICS RECEIVE MAP('MENUMAP') MAPSET('CUSTSET')
                RESP(WS-RESP)
           END-EXEC.
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE LOW-VALUES TO MENUMAPO
           END-IF.
           INSPECT NUMBERI REPLACING ALL LOW-VALUE BY SPACE.
           MOVE NUMBERI TO COMM-CUST-ID.
           IF COMM-CUST-ID NOT = SPACES AND COMM-CUST-ID NOT NUMERIC
               MOVE 'A customer number has digits only.' TO WS-MESSAGE
               PERFORM SEND-MENU
           END-IF.
           EVALUATE CHOICEI
               WHEN '1'
                   SET COMM-SHOW TO TRUE
               WHEN '2'
                   SET COMM-CHANGE TO TRUE
               WHEN OTHER
                   MOVE 'Choose 1 or 2.' TO WS-MESSAGE
                   PERFORM SEND-MENU
           END-EVALUATE.
           EXEC CICS XCTL PROGRAM('CUSTUPD')
                COMMAREA(CUST-COMMAREA)
           END-EXEC.

       SEND-MENU.
           MOVE LOW-VALUES TO MENUMAPO.
           IF COMM-CUST-ID NOT = SPACES
               MOVE COMM-CUST-ID TO NUMBERO
           END-IF.
           MOVE WS-MESSAGE TO MESSAGEO.
           EXEC CICS SEND MAP('MENUMAP') MAPSET('CUSTSET')
                FROM(MENUMAPO) ERASE
           END-EXEC.
           EXEC CICS RETURN TRANSID('MENU')
                COMMAREA(CUST-COMMAREA)
           END-EXEC.
