      * Screens 4, 5, 16, 17, 20, 21 and 28 of the Global Auto Mall,
      * transaction GAMM: makes, models of a make, the end. What is
      * listed is what the tables have.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. GAMMENU.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  WS-RESP               PIC S9(8) COMP.
       01  WS-MESSAGE            PIC X(70) VALUE SPACES.
       01  I                     PIC S9(4) COMP.
       01  WS-ROWS               PIC S9(4) COMP.
       01  WS-CHOICE             PIC X(2) JUST RIGHT.
       01  WS-NUMBER             PIC 9(2).
       01  WS-ID                 PIC S9(4) COMP.
       01  WS-MAKE-NAME          PIC X(12).
       01  WS-COUNT              PIC S9(9) COMP.
       01  WS-SHOWN              PIC ZZZ,ZZ9.
       01  ROW-SETS.
           05  ROW-ID            PIC S9(4) COMP OCCURS 12.
           05  ROW-NAME          PIC X(12) OCCURS 12.
           05  ROW-KIND          PIC X(20) OCCURS 12.
           05  ROW-NUMBER        PIC S9(9) COMP OCCURS 12.
           05  ROW-PRICE         PIC S9(7)V99 COMP-3 OCCURS 12.
       01  LIST-LINE.
           05  FILLER            PIC X(4) VALUE SPACES.
           05  L-ID              PIC Z9.
           05  FILLER            PIC X(3) VALUE SPACES.
           05  L-NAME            PIC X(14).
           05  L-KIND            PIC X(22).
           05  L-NUMBER          PIC ZZZ,ZZ9.
           05  FILLER            PIC X(3) VALUE SPACES.
           05  L-PRICE           PIC Z,ZZZ,ZZ9.99.
           05  FILLER            PIC X(12) VALUE SPACES.
           COPY GAMCOMM.
           COPY GAMSET.
           COPY DFHAID.
           EXEC SQL
             DECLARE MAKES CURSOR WITH ROWSET POSITIONING FOR
               SELECT ID, NAME, COUNTRY, DEALERS, FROM_PRICE
                 FROM MAKE ORDER BY ID
           END-EXEC.
           EXEC SQL
             DECLARE MODELS CURSOR WITH ROWSET POSITIONING FOR
               SELECT ID, NAME, KIND, STOCK, PRICE
                 FROM MODEL WHERE MAKE = :COMM-MAKE ORDER BY ID
           END-EXEC.
       LINKAGE SECTION.
       01  DFHCOMMAREA           PIC X(97).
       PROCEDURE DIVISION.
       MAIN-PARA.
           EXEC SQL WHENEVER SQLERROR GO TO SQL-FAILED END-EXEC.
           IF EIBCALEN = 0
               PERFORM SELECTION
           END-IF.
           MOVE DFHCOMMAREA TO GAM-COMMAREA.
      * Who is signed off goes on at the selection of an application.
           IF COMM-USER = SPACES
               PERFORM SELECTION
           END-IF.
           IF COMM-SHOW = 'O'
               PERFORM LOG-OFF
           END-IF.
           IF COMM-SHOW = 'Y'
               MOVE COMM-MESSAGE TO WS-MESSAGE
               PERFORM SEND-LIST
           END-IF.
           EVALUATE EIBAID
               WHEN DFHPF12
                   PERFORM LOG-OFF
               WHEN DFHPF3
                   MOVE 0 TO COMM-MAKE
                   PERFORM SEND-LIST
               WHEN DFHENTER
                   PERFORM CHOOSE
               WHEN OTHER
                   MOVE 'This key does nothing here.' TO WS-MESSAGE
                   PERFORM SEND-LIST
           END-EVALUATE.

       SELECTION.
           INITIALIZE GAM-COMMAREA.
           MOVE 'Y' TO COMM-SHOW.
           EXEC CICS XCTL PROGRAM('GAMUSS') COMMAREA(GAM-COMMAREA)
           END-EXEC.

       CHOOSE.
           EXEC CICS RECEIVE MAP('LISTMAP') MAPSET('GAMSET')
                RESP(WS-RESP)
           END-EXEC.
           IF WS-RESP NOT = DFHRESP(NORMAL)
               MOVE LOW-VALUES TO LISTMAPO
           END-IF.
           INSPECT LCHOICEI REPLACING ALL LOW-VALUE BY SPACE.
           UNSTRING LCHOICEI DELIMITED BY SPACE INTO WS-CHOICE.
           INSPECT WS-CHOICE REPLACING LEADING SPACE BY ZERO.
           IF WS-CHOICE NOT NUMERIC
               MOVE 'A choice is a number of the list.' TO WS-MESSAGE
               PERFORM SEND-LIST
           END-IF.
           MOVE WS-CHOICE TO WS-NUMBER.
           MOVE WS-NUMBER TO WS-ID.
           IF COMM-MAKE = 0
               PERFORM CHOOSE-MAKE
           ELSE
               PERFORM CHOOSE-MODEL
           END-IF.

       CHOOSE-MAKE.
           EXEC SQL
             SELECT COUNT(*) INTO :WS-COUNT
               FROM MAKE WHERE ID = :WS-ID
           END-EXEC.
           IF WS-COUNT = 0
               MOVE 'There is no such make.' TO WS-MESSAGE
           ELSE
               MOVE WS-ID TO COMM-MAKE
           END-IF.
           PERFORM SEND-LIST.

       CHOOSE-MODEL.
           EXEC SQL
             SELECT PAGES INTO :COMM-PAGES FROM MODEL
              WHERE MAKE = :COMM-MAKE AND ID = :WS-ID
           END-EXEC.
           IF SQLCODE = 100
               MOVE 'There is no such model.' TO WS-MESSAGE
               PERFORM SEND-LIST
           END-IF.
           MOVE WS-ID TO COMM-MODEL.
           MOVE 1 TO COMM-PAGE.
           MOVE 'Y' TO COMM-SHOW.
           EXEC CICS XCTL PROGRAM('GAMCAR') COMMAREA(GAM-COMMAREA)
           END-EXEC.

       SEND-LIST.
           MOVE LOW-VALUES TO LISTMAPO.
           MOVE 0 TO WS-ROWS.
           IF COMM-MAKE = 0
               PERFORM LIST-MAKES
           ELSE
               PERFORM LIST-MODELS
           END-IF.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > WS-ROWS
               MOVE ROW-ID (I) TO L-ID
               MOVE ROW-NAME (I) TO L-NAME
               MOVE ROW-KIND (I) TO L-KIND
               MOVE ROW-NUMBER (I) TO L-NUMBER
               MOVE ROW-PRICE (I) TO L-PRICE
               MOVE LIST-LINE TO LLINEO (I)
           END-PERFORM.
           MOVE WS-MESSAGE TO LMSGO.
           EXEC CICS SEND MAP('LISTMAP') MAPSET('GAMSET')
                FROM(LISTMAPO) ERASE
           END-EXEC.
           MOVE SPACE TO COMM-SHOW.
           MOVE SPACES TO COMM-MESSAGE.
           EXEC CICS RETURN TRANSID('GAMM') COMMAREA(GAM-COMMAREA)
           END-EXEC.

       LIST-MAKES.
           MOVE 'GLOBAL AUTO MALL: MAIN MENU' TO LTITLEO.
           MOVE '     No  Make          Country               Dealers'
               TO LHEADO.
           MOVE 'From' TO LHEADO (65:4).
           EXEC SQL OPEN MAKES END-EXEC.
           EXEC SQL
             FETCH NEXT ROWSET FROM MAKES FOR 12 ROWS
               INTO :ROW-ID, :ROW-NAME, :ROW-KIND, :ROW-NUMBER,
                    :ROW-PRICE
           END-EXEC.
           MOVE SQLERRD (3) TO WS-ROWS.
           EXEC SQL CLOSE MAKES END-EXEC.

       LIST-MODELS.
           EXEC SQL
             SELECT NAME INTO :WS-MAKE-NAME FROM MAKE
              WHERE ID = :COMM-MAKE
           END-EXEC.
           STRING 'GLOBAL AUTO MALL: ' DELIMITED BY SIZE
               WS-MAKE-NAME DELIMITED BY SPACE INTO LTITLEO.
           MOVE '     No  Model         Kind                  In stock'
               TO LHEADO.
           MOVE 'Price' TO LHEADO (64:5).
           EXEC SQL OPEN MODELS END-EXEC.
           EXEC SQL
             FETCH NEXT ROWSET FROM MODELS FOR 12 ROWS
               INTO :ROW-ID, :ROW-NAME, :ROW-KIND, :ROW-NUMBER,
                    :ROW-PRICE
           END-EXEC.
           MOVE SQLERRD (3) TO WS-ROWS.
           EXEC SQL CLOSE MODELS END-EXEC.

       LOG-OFF.
           EXEC SQL
             SELECT SUM(STOCK) INTO :WS-COUNT FROM MODEL
           END-EXEC.
           MOVE WS-COUNT TO WS-SHOWN.
           MOVE LOW-VALUES TO OFFMAPO.
           MOVE COMM-NAME TO OFFUSERO.
           STRING 'You are logged off; ' DELIMITED BY SIZE
               WS-SHOWN DELIMITED BY SIZE
               ' cars wait for you.' DELIMITED BY SIZE
               INTO OFFLINEO.
           EXEC CICS SEND MAP('OFFMAP') MAPSET('GAMSET')
                FROM(OFFMAPO) ERASE
           END-EXEC.
           INITIALIZE GAM-COMMAREA.
           EXEC CICS RETURN TRANSID('GAMM') COMMAREA(GAM-COMMAREA)
           END-EXEC.

      * The code tells the operator why.
       SQL-FAILED.
           EXEC CICS WRITEQ TD QUEUE('CSMT') FROM(SQLCA)
             NOHANDLE END-EXEC.
           EXEC CICS ABEND ABCODE('GAMS') END-EXEC.
