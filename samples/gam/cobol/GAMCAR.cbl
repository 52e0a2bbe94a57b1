      * Screens 6 to 15, 18, 19 and 22 to 27 of the Global Auto Mall,
      * transaction GAMC: a car, page by page.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. GAMCAR.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  WS-MESSAGE            PIC X(70) VALUE SPACES.
       01  I                     PIC S9(4) COMP.
       01  WS-ROWS               PIC S9(4) COMP.
       01  WS-MAKE-NAME          PIC X(12).
       01  WS-MODEL-NAME         PIC X(12).
       01  WS-SUBJECT            PIC X(40).
       01  ROW-SETS.
           05  ROW-NAME          PIC X(24) OCCURS 16.
           05  ROW-TEXT          PIC X(48) OCCURS 16.
       01  PAGE-SHOWN.
           05  FILLER            PIC X(2) VALUE SPACES.
           05  P-NUMBER          PIC Z9.
           05  FILLER            PIC X(4) VALUE ' of '.
           05  P-PAGES           PIC Z9.
       01  FACT-LINE.
           05  FILLER            PIC X(4) VALUE SPACES.
           05  F-NAME            PIC X(27).
           05  F-TEXT            PIC X(48).
           COPY GAMCOMM.
           COPY GAMSET.
           COPY DFHAID.
           EXEC SQL
             DECLARE FACTS CURSOR WITH ROWSET POSITIONING FOR
               SELECT NAME, INFO FROM FACT
                WHERE MAKE = :COMM-MAKE AND MODEL = :COMM-MODEL
                  AND PAGE = :COMM-PAGE ORDER BY LINE
           END-EXEC.
       LINKAGE SECTION.
       01  DFHCOMMAREA           PIC X(97).
       PROCEDURE DIVISION.
       MAIN-PARA.
           EXEC SQL WHENEVER SQLERROR GO TO SQL-FAILED END-EXEC.
           IF EIBCALEN = 0
               INITIALIZE GAM-COMMAREA
               MOVE 'Y' TO COMM-SHOW
               EXEC CICS XCTL PROGRAM('GAMUSS')
                    COMMAREA(GAM-COMMAREA)
               END-EXEC
           END-IF.
           MOVE DFHCOMMAREA TO GAM-COMMAREA.
           IF COMM-SHOW = 'Y'
               PERFORM SEND-PAGE
           END-IF.
           EVALUATE EIBAID
               WHEN DFHPF12
                   MOVE 'O' TO COMM-SHOW
                   PERFORM MENU
               WHEN DFHPF3
                   MOVE 'Y' TO COMM-SHOW
                   PERFORM MENU
               WHEN DFHPF7
                   PERFORM PAGE-BEFORE
               WHEN DFHENTER
               WHEN DFHPF8
                   PERFORM NEXT-PAGE
               WHEN OTHER
                   MOVE 'This key does nothing here.' TO WS-MESSAGE
                   PERFORM SEND-PAGE
           END-EVALUATE.

       MENU.
           MOVE 0 TO COMM-MAKE.
           EXEC CICS XCTL PROGRAM('GAMMENU') COMMAREA(GAM-COMMAREA)
           END-EXEC.

       PAGE-BEFORE.
           IF COMM-PAGE > 1
               SUBTRACT 1 FROM COMM-PAGE
           ELSE
               MOVE 'This is the first page.' TO WS-MESSAGE
           END-IF.
           PERFORM SEND-PAGE.

       NEXT-PAGE.
           IF COMM-PAGE < COMM-PAGES
               ADD 1 TO COMM-PAGE
           ELSE
               MOVE 'This is the last page.' TO WS-MESSAGE
           END-IF.
           PERFORM SEND-PAGE.

       SEND-PAGE.
           MOVE LOW-VALUES TO CARMAPO.
           EXEC SQL
             SELECT A.NAME, M.NAME, P.SUBJECT
               INTO :WS-MAKE-NAME, :WS-MODEL-NAME, :WS-SUBJECT
               FROM MAKE A, MODEL M, PAGE P
              WHERE A.ID = :COMM-MAKE
                AND M.MAKE = A.ID AND M.ID = :COMM-MODEL
                AND P.MAKE = A.ID AND P.MODEL = M.ID
                AND P.NUMBER = :COMM-PAGE
           END-EXEC.
           IF SQLCODE = 100
               MOVE 'Y' TO COMM-SHOW
               MOVE 'This car has been sold.' TO COMM-MESSAGE
               PERFORM MENU
           END-IF.
           EXEC SQL OPEN FACTS END-EXEC.
           EXEC SQL
             FETCH NEXT ROWSET FROM FACTS FOR 16 ROWS
               INTO :ROW-NAME, :ROW-TEXT
           END-EXEC.
           MOVE SQLERRD (3) TO WS-ROWS.
           EXEC SQL CLOSE FACTS END-EXEC.
           STRING 'GLOBAL AUTO MALL: ' DELIMITED BY SIZE
               WS-MAKE-NAME DELIMITED BY SPACE
               ' ' DELIMITED BY SIZE
               WS-MODEL-NAME DELIMITED BY SPACE INTO CTITLEO.
           MOVE COMM-PAGE TO P-NUMBER.
           MOVE COMM-PAGES TO P-PAGES.
           MOVE PAGE-SHOWN TO CPAGEO.
           MOVE WS-SUBJECT TO CSUBJO.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > WS-ROWS
               MOVE ROW-NAME (I) TO F-NAME
               MOVE ROW-TEXT (I) TO F-TEXT
               MOVE FACT-LINE TO CLINEO (I)
           END-PERFORM.
           MOVE WS-MESSAGE TO CMSGO.
           EXEC CICS SEND MAP('CARMAP') MAPSET('GAMSET')
                FROM(CARMAPO) ERASE
           END-EXEC.
           MOVE SPACE TO COMM-SHOW.
           EXEC CICS RETURN TRANSID('GAMC') COMMAREA(GAM-COMMAREA)
           END-EXEC.

      * The code tells the operator why.
       SQL-FAILED.
           EXEC CICS WRITEQ TD QUEUE('CSMT') FROM(SQLCA)
             NOHANDLE END-EXEC.
           EXEC CICS ABEND ABCODE('GAMS') END-EXEC.
