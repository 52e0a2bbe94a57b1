       IDENTIFICATION DIVISION.
       PROGRAM-ID. TPCSCRN.
      * The screens of the five transactions: a form, what is typed
      * into it, and what the program behind it answers.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  TURN-N           PIC S9(4) COMP.
       01  LINE-N           PIC S9(4) COMP.
       01  TRIES            PIC S9(4) COMP.
       01  STATE-C          PIC X VALUE '1'.
       01  SHOWN-MONEY      PIC -(10)9.99.
       01  SHOWN-PART       PIC 9.9999.
       01  MESSAGE-T        PIC X(60) VALUE SPACES.
       01  NO-LINE-T.
           05  NL-NAME      PIC X(24).
           05  FILLER       PIC X VALUE SPACE.
           05  NL-STOCK     PIC ZZ9.
           05  FILLER       PIC XX VALUE SPACES.
           05  NL-BRAND     PIC X.
           05  FILLER       PIC XX VALUE SPACES.
           05  NL-PRICE     PIC ZZ9.99.
           05  FILLER       PIC XX VALUE SPACES.
           05  NL-AMOUNT    PIC ZZZZ9.99.
       01  OS-LINE-T.
           05  OL-SUPPLY    PIC ZZZ9.
           05  FILLER       PIC X(4) VALUE SPACES.
           05  OL-I-ID      PIC ZZZZZ9.
           05  FILLER       PIC XX VALUE SPACES.
           05  OL-QUANTITY  PIC Z9.
           05  FILLER       PIC X(3) VALUE SPACES.
           05  OL-AMOUNT    PIC ZZZZ9.99.
           05  FILLER       PIC X(4) VALUE SPACES.
           05  OL-DELIVERED PIC X(10).
       01  NO-AREA.
           COPY TPCNOC.
       01  PY-AREA.
           COPY TPCPYC.
       01  OS-AREA.
           COPY TPCOSC.
       01  DL-AREA.
           COPY TPCDLC.
       01  SL-AREA.
           COPY TPCSLC.
           COPY DFHAID.
           COPY TPCSET.
       LINKAGE SECTION.
       01  DFHCOMMAREA      PIC X.
      * Lines of an order as they lie in the map.
       01  NO-TABLE.
           05  NT-LINE      OCCURS 15.
               10  NT-S-L   PIC S9(4) COMP.
               10  NT-S-A   PIC X.
               10  NT-S     PIC X(4).
               10  NT-I-L   PIC S9(4) COMP.
               10  NT-I-A   PIC X.
               10  NT-I     PIC X(6).
               10  NT-Q-L   PIC S9(4) COMP.
               10  NT-Q-A   PIC X.
               10  NT-Q     PIC XX.
               10  NT-L-L   PIC S9(4) COMP.
               10  NT-L-A   PIC X.
               10  NT-L     PIC X(55).
       01  OS-TABLE.
           05  OT-LINE      OCCURS 15.
               10  OT-L-L   PIC S9(4) COMP.
               10  OT-L-A   PIC X.
               10  OT-L     PIC X(50).
       PROCEDURE DIVISION.
           SET ADDRESS OF NO-TABLE TO ADDRESS OF NOS01L.
           SET ADDRESS OF OS-TABLE TO ADDRESS OF OSL01L.
           IF EIBCALEN = 0
             PERFORM EMPTY-FORM
           END-IF.
           IF EIBAID = DFHCLEAR OR EIBAID = DFHPF3
             EXEC CICS SEND CONTROL ERASE FREEKB END-EXEC
             EXEC CICS RETURN END-EXEC
           END-IF.
           EVALUATE EIBTRNID
             WHEN 'TPNO' PERFORM NEW-ORDER
             WHEN 'TPPY' PERFORM PAYMENT
             WHEN 'TPOS' PERFORM ORDER-STATUS
             WHEN 'TPDL' PERFORM DELIVERY
             WHEN OTHER PERFORM STOCK-LEVEL
           END-EVALUATE.
           PERFORM NEXT-KEY.
       EMPTY-FORM.
           EVALUATE EIBTRNID
             WHEN 'TPNO'
               EXEC CICS SEND MAP('NOMAP') MAPSET('TPCSET') MAPONLY
                 ERASE END-EXEC
             WHEN 'TPPY'
               EXEC CICS SEND MAP('PYMAP') MAPSET('TPCSET') MAPONLY
                 ERASE END-EXEC
             WHEN 'TPOS'
               EXEC CICS SEND MAP('OSMAP') MAPSET('TPCSET') MAPONLY
                 ERASE END-EXEC
             WHEN 'TPDL'
               EXEC CICS SEND MAP('DLMAP') MAPSET('TPCSET') MAPONLY
                 ERASE END-EXEC
             WHEN OTHER
               EXEC CICS SEND MAP('SLMAP') MAPSET('TPCSET') MAPONLY
                 ERASE END-EXEC
           END-EVALUATE.
           PERFORM NEXT-KEY.
       NEXT-KEY.
           EXEC CICS RETURN TRANSID(EIBTRNID) COMMAREA(STATE-C)
             LENGTH(1) END-EXEC.
      * What was typed comes back as it is: only answers are moved.
       NEW-ORDER.
           MOVE LOW-VALUES TO NOMAPI.
           EXEC CICS RECEIVE MAP('NOMAP') MAPSET('TPCSET') NOHANDLE
             END-EXEC.
           MOVE ZEROS TO NO-AREA.
           IF NOWI NOT NUMERIC OR NODI NOT NUMERIC
               OR NOCI NOT NUMERIC
             MOVE 'Warehouse, district and customer are numbers.'
               TO MESSAGE-T
           ELSE
             MOVE NOWI TO NO-W-ID
             MOVE NODI TO NO-D-ID
             MOVE NOCI TO NO-C-ID
             PERFORM VARYING LINE-N FROM 1 BY 1 UNTIL LINE-N > 15
               IF NT-S(LINE-N) NUMERIC AND NT-I(LINE-N) NUMERIC
                   AND NT-Q(LINE-N) NUMERIC
                 ADD 1 TO NO-COUNT
                 MOVE NT-S(LINE-N) TO NO-SUPPLY(NO-COUNT)
                 MOVE NT-I(LINE-N) TO NO-I-ID(NO-COUNT)
                 MOVE NT-Q(LINE-N) TO NO-QUANTITY(NO-COUNT)
               END-IF
             END-PERFORM
             IF NO-COUNT < 5
               MOVE 'An order has 5 to 15 lines.' TO MESSAGE-T
             ELSE
               PERFORM PUT-ORDER
             END-IF
           END-IF.
           MOVE MESSAGE-T TO NOMSGO.
           EXEC CICS SEND MAP('NOMAP') MAPSET('TPCSET')
             FROM(NOMAPO) DATAONLY END-EXEC.
       PUT-ORDER.
           MOVE 'D' TO NO-STATUS.
           PERFORM VARYING TRIES FROM 1 BY 1
               UNTIL NO-STATUS NOT = 'D' OR TRIES > 10
             EXEC CICS LINK PROGRAM('TPCNO') COMMAREA(NO-AREA) END-EXEC
           END-PERFORM.
           MOVE LOW-VALUES TO NOMAPI.
           MOVE NO-LAST TO NOLASTO.
           MOVE NO-CREDIT TO NOCREDO.
           MOVE NO-O-ID TO NOOIDO.
           EVALUATE NO-STATUS
             WHEN 'N'
               MOVE 'Item number is not valid' TO MESSAGE-T
             WHEN 'D'
               MOVE 'Too much is going on: try again' TO MESSAGE-T
             WHEN OTHER
               MOVE 'Order is placed' TO MESSAGE-T
               PERFORM SHOW-ORDER
           END-EVALUATE.
       SHOW-ORDER.
           MOVE NO-ENTRY TO NODATEO.
           MOVE NO-COUNT TO NOCNTO.
           MOVE NO-DISCOUNT TO SHOWN-PART.
           MOVE SHOWN-PART TO NODISCO.
           MOVE NO-W-TAX TO SHOWN-PART.
           MOVE SHOWN-PART TO NOWTAXO.
           MOVE NO-D-TAX TO SHOWN-PART.
           MOVE SHOWN-PART TO NODTAXO.
           MOVE NO-TOTAL TO SHOWN-MONEY.
           MOVE SHOWN-MONEY TO NOTOTALO.
           PERFORM VARYING LINE-N FROM 1 BY 1 UNTIL LINE-N > NO-COUNT
             MOVE NO-NAME(LINE-N) TO NL-NAME
             MOVE NO-STOCK(LINE-N) TO NL-STOCK
             MOVE NO-BRAND(LINE-N) TO NL-BRAND
             MOVE NO-PRICE(LINE-N) TO NL-PRICE
             MOVE NO-AMOUNT(LINE-N) TO NL-AMOUNT
             MOVE NO-LINE-T TO NT-L(LINE-N)
           END-PERFORM.
       PAYMENT.
           MOVE LOW-VALUES TO PYMAPI.
           EXEC CICS RECEIVE MAP('PYMAP') MAPSET('TPCSET') NOHANDLE
             END-EXEC.
           INSPECT PYLASTI REPLACING ALL LOW-VALUE BY SPACE.
           INSPECT PYAMTI REPLACING ALL LOW-VALUE BY SPACE.
           INSPECT PYCI REPLACING ALL LOW-VALUE BY ZERO.
           IF PYWI NOT NUMERIC OR PYDI NOT NUMERIC
               OR PYCWI NOT NUMERIC OR PYCDI NOT NUMERIC
               OR FUNCTION TEST-NUMVAL(PYAMTI) NOT = 0
             MOVE 'Warehouses, districts and amount are numbers.'
               TO MESSAGE-T
           ELSE
             PERFORM PUT-PAYMENT
           END-IF.
           MOVE MESSAGE-T TO PYMSGO.
           EXEC CICS SEND MAP('PYMAP') MAPSET('TPCSET')
             FROM(PYMAPO) DATAONLY END-EXEC.
       PUT-PAYMENT.
           MOVE PYWI TO PY-W-ID.
           MOVE PYDI TO PY-D-ID.
           MOVE PYCWI TO PY-C-W-ID.
           MOVE PYCDI TO PY-C-D-ID.
           MOVE PYCI TO PY-C-ID.
           MOVE PYLASTI TO PY-LAST.
           COMPUTE PY-AMOUNT = FUNCTION NUMVAL(PYAMTI).
           MOVE 'D' TO PY-STATUS.
           PERFORM VARYING TRIES FROM 1 BY 1
               UNTIL PY-STATUS NOT = 'D' OR TRIES > 10
             EXEC CICS LINK PROGRAM('TPCPY') COMMAREA(PY-AREA) END-EXEC
           END-PERFORM.
           MOVE LOW-VALUES TO PYMAPI.
           EVALUATE PY-STATUS
             WHEN 'N'
               MOVE 'There is no such customer' TO MESSAGE-T
             WHEN 'D'
               MOVE 'Too much is going on: try again' TO MESSAGE-T
             WHEN OTHER
               MOVE 'Payment is booked' TO MESSAGE-T
               PERFORM SHOW-PAYMENT
           END-EVALUATE.
       SHOW-PAYMENT.
           MOVE PY-C-ID TO PYCO.
           MOVE PY-LAST TO PYLASTO.
           MOVE PY-W-STREET TO PYWSTRO.
           MOVE PY-W-CITY TO PYWCTYO.
           MOVE PY-D-STREET TO PYDSTRO.
           MOVE PY-D-CITY TO PYDCTYO.
           MOVE PY-FIRST TO PYFIRSTO.
           MOVE PY-SINCE TO PYSINCEO.
           MOVE PY-STREET TO PYSTRO.
           MOVE PY-CREDIT TO PYCREDO.
           MOVE PY-CITY TO PYCITYO.
           MOVE PY-DISCOUNT TO SHOWN-PART.
           MOVE SHOWN-PART TO PYDISCO.
           MOVE PY-PHONE TO PYPHONEO.
           MOVE PY-LIMIT TO SHOWN-MONEY.
           MOVE SHOWN-MONEY TO PYLIMO.
           MOVE PY-BALANCE TO SHOWN-MONEY.
           MOVE SHOWN-MONEY TO PYBALO.
           MOVE PY-DATE TO PYDATEO.
           MOVE PY-DATA(1:50) TO PYDAT1O.
           MOVE PY-DATA(51:50) TO PYDAT2O.
           MOVE PY-DATA(101:50) TO PYDAT3O.
           MOVE PY-DATA(151:50) TO PYDAT4O.
       ORDER-STATUS.
           MOVE LOW-VALUES TO OSMAPI.
           EXEC CICS RECEIVE MAP('OSMAP') MAPSET('TPCSET') NOHANDLE
             END-EXEC.
           INSPECT OSLASTI REPLACING ALL LOW-VALUE BY SPACE.
           INSPECT OSCI REPLACING ALL LOW-VALUE BY ZERO.
           IF OSWI NOT NUMERIC OR OSDI NOT NUMERIC
             MOVE 'Warehouse and district are numbers.' TO MESSAGE-T
           ELSE
             MOVE OSWI TO OS-W-ID
             MOVE OSDI TO OS-D-ID
             MOVE OSCI TO OS-C-ID
             MOVE OSLASTI TO OS-LAST
             PERFORM ASK-STATUS
           END-IF.
           MOVE MESSAGE-T TO OSMSGO.
           EXEC CICS SEND MAP('OSMAP') MAPSET('TPCSET')
             FROM(OSMAPO) DATAONLY END-EXEC.
       ASK-STATUS.
           MOVE 'D' TO OS-STATUS.
           PERFORM VARYING TRIES FROM 1 BY 1
               UNTIL OS-STATUS NOT = 'D' OR TRIES > 10
             EXEC CICS LINK PROGRAM('TPCOS') COMMAREA(OS-AREA) END-EXEC
           END-PERFORM.
           MOVE LOW-VALUES TO OSMAPI.
           IF OS-STATUS NOT = 'Y'
             MOVE 'There is no such customer, or no order'
               TO MESSAGE-T
           ELSE
             MOVE 'This is the last order' TO MESSAGE-T
             PERFORM SHOW-STATUS
           END-IF.
       SHOW-STATUS.
           MOVE OS-C-ID TO OSCO.
           MOVE OS-LAST TO OSLASTO.
           MOVE OS-FIRST TO OSFIRSTO.
           MOVE OS-BALANCE TO SHOWN-MONEY.
           MOVE SHOWN-MONEY TO OSBALO.
           MOVE OS-O-ID TO OSOIDO.
           MOVE OS-ENTRY TO OSENTRYO.
           MOVE OS-CARRIER TO OSCARRO.
           PERFORM VARYING LINE-N FROM 1 BY 1 UNTIL LINE-N > 15
             MOVE SPACES TO OT-L(LINE-N)
             IF LINE-N <= OS-COUNT
               MOVE OS-SUPPLY(LINE-N) TO OL-SUPPLY
               MOVE OS-I-ID(LINE-N) TO OL-I-ID
               MOVE OS-QUANTITY(LINE-N) TO OL-QUANTITY
               MOVE OS-AMOUNT(LINE-N) TO OL-AMOUNT
               MOVE OS-DELIVERED(LINE-N) TO OL-DELIVERED
               MOVE OS-LINE-T TO OT-L(LINE-N)
             END-IF
           END-PERFORM.
       DELIVERY.
           MOVE LOW-VALUES TO DLMAPI.
           EXEC CICS RECEIVE MAP('DLMAP') MAPSET('TPCSET') NOHANDLE
             END-EXEC.
           IF DLWI NOT NUMERIC OR DLCI NOT NUMERIC
             MOVE 'Warehouse and carrier are numbers.' TO MESSAGE-T
           ELSE
             MOVE DLWI TO DL-W-ID
             MOVE DLCI TO DL-CARRIER
             EXEC CICS LINK PROGRAM('TPCDL') COMMAREA(DL-AREA) END-EXEC
             MOVE 'Delivery has been queued' TO MESSAGE-T
           END-IF.
           MOVE LOW-VALUES TO DLMAPI.
           MOVE MESSAGE-T TO DLMSGO.
           EXEC CICS SEND MAP('DLMAP') MAPSET('TPCSET')
             FROM(DLMAPO) DATAONLY END-EXEC.
       STOCK-LEVEL.
           MOVE LOW-VALUES TO SLMAPI.
           EXEC CICS RECEIVE MAP('SLMAP') MAPSET('TPCSET') NOHANDLE
             END-EXEC.
           IF SLWI NOT NUMERIC OR SLDI NOT NUMERIC
               OR SLTI NOT NUMERIC
             MOVE 'Warehouse, district, threshold are numbers.'
               TO MESSAGE-T
             MOVE LOW-VALUES TO SLMAPI
           ELSE
             MOVE SLWI TO SL-W-ID
             MOVE SLDI TO SL-D-ID
             MOVE SLTI TO SL-THRESHOLD
             MOVE 'D' TO SL-STATUS
             PERFORM VARYING TRIES FROM 1 BY 1
                 UNTIL SL-STATUS NOT = 'D' OR TRIES > 10
               EXEC CICS LINK PROGRAM('TPCSL') COMMAREA(SL-AREA)
                 END-EXEC
             END-PERFORM
             MOVE LOW-VALUES TO SLMAPI
             MOVE SL-LOW TO SLLOWO
             MOVE 'Counted' TO MESSAGE-T
           END-IF.
           MOVE MESSAGE-T TO SLMSGO.
           EXEC CICS SEND MAP('SLMAP') MAPSET('TPCSET')
             FROM(SLMAPO) DATAONLY END-EXEC.
