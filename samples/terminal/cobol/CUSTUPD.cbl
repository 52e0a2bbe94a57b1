      * Shows a customer and takes changes, transaction CUST.
      * A record is not locked while a user looks at it: before it is
      * rewritten it is read again and compared with what was shown.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CUSTUPD.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-RESP               PIC S9(8) COMP.
       01  WS-MESSAGE            PIC X(70) VALUE SPACES.
       01  WS-LIMIT              PIC Z(6)9.99.
       01  WS-NUMBER             PIC X(6).
           COPY CUSTREC.
           COPY CUSTCOMM.
           COPY CUSTSET.
           COPY DFHAID.
           COPY DFHBMSCA.
       LINKAGE SECTION.
       01  DFHCOMMAREA           PIC X(157).
       PROCEDURE DIVISION.
       MAIN-PARA.
           MOVE LOW-VALUES TO CUSTMAPO.
      * CUST typed on an empty screen.
           IF EIBCALEN = 0
               MOVE SPACES TO CUST-COMMAREA
               SET COMM-SHOW TO TRUE
               MOVE 'Type the number of a customer.' TO WS-MESSAGE
               PERFORM SEND-CUSTOMER
           END-IF.
           MOVE DFHCOMMAREA TO CUST-COMMAREA.
      * XCTL from the menu.
           IF EIBTRNID NOT = 'CUST'
               MOVE COMM-CUST-ID TO WS-NUMBER
               PERFORM SHOW-CUSTOMER
           END-IF.
           EVALUATE EIBAID
               WHEN DFHPF3
                   MOVE SPACES TO COMM-MESSAGE
                   EXEC CICS XCTL PROGRAM('CUSTMENU')
                        COMMAREA(CUST-COMMAREA)
                   END-EXEC
               WHEN DFHENTER
                   PERFORM RECEIVE-CUSTOMER
                   MOVE CNUMBERI TO WS-NUMBER
                   MOVE LOW-VALUES TO CUSTMAPO
                   PERFORM SHOW-CUSTOMER
               WHEN DFHPF5
                   PERFORM RECEIVE-CUSTOMER
                   PERFORM SAVE-CUSTOMER
               WHEN OTHER
                   MOVE 'This key does nothing here.' TO WS-MESSAGE
                   PERFORM SEND-AGAIN
           END-EVALUATE.

       RECEIVE-CUSTOMER.
           EXEC CICS RECEIVE MAP('CUSTMAP') MAPSET('CUSTSET')
                RESP(WS-RESP)
           END-EXEC.
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE LOW-VALUES TO CUSTMAPO
           END-IF.

       SHOW-CUSTOMER.
           PERFORM CHECK-NUMBER.
           EXEC CICS READ FILE('CUSTOMER') INTO(CUST-RECORD)
                RIDFLD(WS-NUMBER) RESP(WS-RESP)
           END-EXEC.
           EVALUATE WS-RESP
               WHEN DFHRESP(NORMAL)
                   MOVE CUST-ID TO COMM-CUST-ID
                   MOVE CUST-RECORD TO COMM-BEFORE
                   PERFORM FILL-MAP
               WHEN DFHRESP(NOTFND)
                   MOVE SPACES TO COMM-CUST-ID
                   STRING 'There is no customer ' WS-NUMBER '.'
                       DELIMITED BY SIZE INTO WS-MESSAGE
               WHEN OTHER
                   MOVE SPACES TO COMM-CUST-ID
                   MOVE 'The file CUSTOMER cannot be read.'
                     TO WS-MESSAGE
           END-EVALUATE.
           PERFORM SEND-CUSTOMER.

      * BMS fills NUM fields with zeros from the left.
       CHECK-NUMBER.
           INSPECT WS-NUMBER REPLACING ALL LOW-VALUE BY SPACE.
           IF WS-NUMBER = SPACES
               MOVE 'Type the number of a customer.' TO WS-MESSAGE
               PERFORM SEND-CUSTOMER
           END-IF.
           IF WS-NUMBER NOT NUMERIC
               MOVE 'A number has digits only.' TO WS-MESSAGE
               PERFORM SEND-CUSTOMER
           END-IF.

       SAVE-CUSTOMER.
           IF NOT COMM-CHANGE OR COMM-CUST-ID = SPACES
               MOVE 'Choose 2 in the menu to change a customer.'
                    TO WS-MESSAGE
               PERFORM SEND-AGAIN
           END-IF.
           IF FUNCTION TEST-NUMVAL(CLIMITI) NOT = 0
               MOVE 'The credit limit is not a number.' TO WS-MESSAGE
               PERFORM SEND-AGAIN
           END-IF.
           EXEC CICS READ FILE('CUSTOMER') INTO(CUST-RECORD)
                RIDFLD(COMM-CUST-ID) UPDATE RESP(WS-RESP)
           END-EXEC.
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE 'The customer cannot be read.' TO WS-MESSAGE
               PERFORM SEND-AGAIN
           END-IF.
           IF CUST-RECORD NOT = COMM-BEFORE
               EXEC CICS UNLOCK FILE('CUSTOMER') END-EXEC
               MOVE LOW-VALUES TO CUSTMAPO
               MOVE 'Changed by somebody else meanwhile. Look again.'
                    TO WS-MESSAGE
               MOVE CUST-RECORD TO COMM-BEFORE
               PERFORM FILL-MAP
               PERFORM SEND-CUSTOMER
           END-IF.
           PERFORM TAKE-FIELDS.
           EXEC CICS REWRITE FILE('CUSTOMER') FROM(CUST-RECORD)
                RESP(WS-RESP)
           END-EXEC.
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE 'The customer cannot be written.' TO WS-MESSAGE
               PERFORM SEND-AGAIN
           END-IF.
           STRING 'Customer ' COMM-CUST-ID ' is saved.'
               DELIMITED BY SIZE INTO COMM-MESSAGE.
           EXEC CICS XCTL PROGRAM('CUSTMENU')
                COMMAREA(CUST-COMMAREA)
           END-EXEC.

      * A field erased by the user comes as low values.
       TAKE-FIELDS.
           INSPECT CNAMEI  REPLACING ALL LOW-VALUE BY SPACE.
           INSPECT CCITYI  REPLACING ALL LOW-VALUE BY SPACE.
           INSPECT CPHONEI REPLACING ALL LOW-VALUE BY SPACE.
           MOVE CNAMEI  TO CUST-NAME.
           MOVE CCITYI  TO CUST-CITY.
           MOVE CPHONEI TO CUST-PHONE.
           COMPUTE CUST-LIMIT = FUNCTION NUMVAL(CLIMITI).

       FILL-MAP.
           MOVE CUST-ID    TO CNUMBERO.
           MOVE CUST-NAME  TO CNAMEO.
           MOVE CUST-CITY  TO CCITYO.
           MOVE CUST-PHONE TO CPHONEO.
           MOVE CUST-LIMIT TO WS-LIMIT.
           MOVE WS-LIMIT   TO CLIMITO.
      * DFHBMFSE: unprotected, and sent back whether typed or not.
           IF COMM-CHANGE
               MOVE DFHBMFSE TO CNAMEA CCITYA CPHONEA CLIMITA
               MOVE -1 TO CNAMEL
           END-IF.

       SEND-CUSTOMER.
           MOVE WS-MESSAGE TO CMSGO.
           IF CNAMEL NOT = -1
               MOVE -1 TO CNUMBERL
           END-IF.
           EXEC CICS SEND MAP('CUSTMAP') MAPSET('CUSTSET')
                FROM(CUSTMAPO) ERASE CURSOR
           END-EXEC.
           PERFORM RETURN-TO-CICS.

      * Only the message; what the user typed stays. After RECEIVE
      * MAP the attribute bytes hold flags, so that all is reset.
       SEND-AGAIN.
           MOVE LOW-VALUES TO CUSTMAPO.
           MOVE WS-MESSAGE TO CMSGO.
           EXEC CICS SEND MAP('CUSTMAP') MAPSET('CUSTSET')
                FROM(CUSTMAPO) DATAONLY
           END-EXEC.
           PERFORM RETURN-TO-CICS.

       RETURN-TO-CICS.
           EXEC CICS RETURN TRANSID('CUST')
                COMMAREA(CUST-COMMAREA)
           END-EXEC.
