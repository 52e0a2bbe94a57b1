       IDENTIFICATION DIVISION.
       PROGRAM-ID. DSWTERM.
      * The screen of all 34 transactions: DS00 is the menu, DS01 to
      * DS33 work with files. Each screen names the one after it: two
      * of five are the menu.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-RESP           PIC S9(8) COMP.
       01  WHOLE             PIC S9(8) COMP.
       01  REST              PIC S9(8) COMP.
       01  STATE-AREA.
           05  STATE-PLACE   PIC 9.
           05  STATE-NEXT    PIC 99.
       01  NEXT-TRANSID.
           05  FILLER        PIC XX VALUE 'DS'.
           05  NEXT-NUMBER   PIC 99.
       01  APP-AREA.
           COPY DSWAREA.
           COPY DSWSET.
       LINKAGE SECTION.
       01  DFHCOMMAREA       PIC X(3).
       PROCEDURE DIVISION.
       MAIN-PARA.
           MOVE SPACES TO APP-AREA.
           MOVE EIBTRNID(3:2) TO AREA-TRAN.
           MOVE 1 TO AREA-KEY.
           IF EIBCALEN = 0
               MOVE 4 TO STATE-PLACE
               DIVIDE EIBTASKN BY 33 GIVING WHOLE REMAINDER REST
               COMPUTE STATE-NEXT = REST + 1
           ELSE
               MOVE DFHCOMMAREA TO STATE-AREA
               PERFORM TAKE-KEY
           END-IF.
           EXEC CICS LINK PROGRAM('DSWAPP') COMMAREA(APP-AREA)
           END-EXEC.
           PERFORM GO-ON.
           MOVE LOW-VALUES TO DSWMAPO.
           MOVE EIBTRNID TO TRANO.
           MOVE AREA-RESULT TO RESULTO.
           EXEC CICS SEND MAP('DSWMAP') MAPSET('DSWSET')
                FROM(DSWMAPO) ERASE FREEKB
           END-EXEC.
           EXEC CICS RETURN TRANSID(NEXT-TRANSID)
                COMMAREA(STATE-AREA)
           END-EXEC.

       TAKE-KEY.
           EXEC CICS RECEIVE MAP('DSWMAP') MAPSET('DSWSET')
                RESP(WS-RESP)
           END-EXEC.
           IF WS-RESP = DFHRESP(NORMAL)
               INSPECT KEYI REPLACING ALL LOW-VALUE BY SPACE
               IF KEYI NUMERIC
                   MOVE KEYI TO AREA-KEY
               END-IF
           END-IF.

       GO-ON.
           ADD 1 TO STATE-PLACE.
           IF STATE-PLACE > 4
               MOVE 0 TO STATE-PLACE
           END-IF.
           IF STATE-PLACE = 1 OR STATE-PLACE = 3
               MOVE 0 TO NEXT-NUMBER
           ELSE
               MOVE STATE-NEXT TO NEXT-NUMBER
               ADD 7 TO STATE-NEXT
               IF STATE-NEXT > 33
                   SUBTRACT 33 FROM STATE-NEXT
               END-IF
           END-IF.
