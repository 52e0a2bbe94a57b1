       IDENTIFICATION DIVISION.
       PROGRAM-ID. CSDC.
      * What EXEC CICS CSD answers when the group does not install
      * whole, the decks cannot be read, the user may not; and
      * attributes by SET.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  R        PIC S9(8) COMP VALUE 0.
       01  R2       PIC S9(8) COMP VALUE 0.
       01  LEN      PIC S9(8) COMP VALUE 0.
       01  AREA-AT  POINTER.
       01  KIND     PIC S9(8) COMP.
       01  SHOW     PIC ZZZ9.
       01  WHAT     PIC X(8).
       01  FILE-KEY PIC X(4) VALUE 'AAAA'.
       01  ITEM     PIC X(80).
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       01  ATTRS       PIC X(40).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE DFHCOMMAREA(1:8) TO WHAT.
           EVALUATE WHAT
               WHEN 'OPEN'
                   EXEC CICS READ FILE('ITEMS') INTO(ITEM)
                        RIDFLD(FILE-KEY) RESP(R) END-EXEC
                   MOVE 0 TO R
               WHEN 'SEE'
                   EXEC CICS INQUIRE PROGRAM('TAX') STATUS(KIND)
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'GROUP'
                   EXEC CICS CSD INSTALL GROUP('LATER')
                        RESP(R) RESP2(R2) END-EXEC
               WHEN 'FILE'
                   EXEC CICS CSD INSTALL FILE RESID('ITEMS')
                        GROUP('LATER') RESP(R) RESP2(R2) END-EXEC
               WHEN 'DEFINE'
                   EXEC CICS CSD DEFINE PROGRAM RESID('NEW')
                        GROUP('MINE') RESP(R) RESP2(R2) END-EXEC
               WHEN 'ASK'
                   EXEC CICS CSD INQUIRERSRCE PROGRAM RESID('TAX')
                        GROUP('LATER') SET(AREA-AT) ATTRLEN(LEN)
                        RESP(R) RESP2(R2) END-EXEC
                   PERFORM SHOW-ATTRIBUTES
               WHEN 'NEXT'
                   EXEC CICS CSD STARTBRRSRCE GROUP('LATER')
                        RESP(R) RESP2(R2) END-EXEC
                   EXEC CICS CSD GETNEXTRSRCE RESTYPE(KIND)
                        RESID(WHAT) END-EXEC
                   EXEC CICS CSD GETNEXTRSRCE RESTYPE(KIND)
                        RESID(WHAT) SET(AREA-AT) ATTRLEN(LEN)
                        RESP(R) RESP2(R2) END-EXEC
                   EXEC CICS CSD ENDBRRSRCE END-EXEC
                   PERFORM SHOW-ATTRIBUTES
           END-EVALUATE.
           MOVE SPACES TO DFHCOMMAREA.
           MOVE 'DONE' TO DFHCOMMAREA.
           IF R NOT = 0
               MOVE R TO SHOW
               MOVE SHOW TO DFHCOMMAREA(1:4)
               MOVE R2 TO SHOW
               MOVE SHOW TO DFHCOMMAREA(5:4)
           END-IF.
           EXEC CICS RETURN END-EXEC.
       SHOW-ATTRIBUTES.
           IF R = 0
               SET ADDRESS OF ATTRS TO AREA-AT
               MOVE SPACES TO DFHCOMMAREA
               MOVE LEN TO SHOW
               MOVE SHOW TO DFHCOMMAREA(1:4)
               MOVE ATTRS(1:LEN) TO DFHCOMMAREA(6:LEN)
               EXEC CICS RETURN END-EXEC
           END-IF.
