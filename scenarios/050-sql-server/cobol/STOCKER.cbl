       IDENTIFICATION DIVISION.
       PROGRAM-ID. STOCKER.
      * Takes pieces from the stock and writes a note of it: both, or
      * neither.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  WHAT.
           05  WORD        PIC X(8).
           05  PIECES      PIC 9(3).
           05  FILLER      PIC X.
           05  NOTE-NUMBER PIC X(4).
       01  HOW-MANY    PIC S9(7) COMP-3.
       01  ITEM        PIC X(4) VALUE 'AXLE'.
       01  NOTE.
           05  NOTE-KEY  PIC X(4).
           05  NOTE-TEXT PIC X(36) VALUE 'taken'.
       01  ANSWER.
           05  SHOWN-CODE  PIC -(5)9.
           05  FILLER      PIC X VALUE SPACE.
           05  SHOWN-TEXT  PIC X(30) VALUE SPACES.
       01  SHOWN-COUNT PIC ZZ9.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       PROCEDURE DIVISION.
           MOVE DFHCOMMAREA TO WHAT.
           MOVE NOTE-NUMBER TO NOTE-KEY.
           EVALUATE WORD
             WHEN 'TAKE'   PERFORM TAKE-AND-NOTE
             WHEN 'ABEND'  PERFORM TAKE-AND-NOTE
                           EXEC CICS ABEND ABCODE('MINE') END-EXEC
             WHEN 'LEFT'   PERFORM LEFT-OVER
             WHEN 'NOTE'   PERFORM READ-NOTE
           END-EVALUATE.
           MOVE SQLCODE TO SHOWN-CODE.
           MOVE ANSWER TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
       TAKE-AND-NOTE.
           MOVE PIECES TO HOW-MANY.
           EXEC CICS WRITE FILE('NOTES') FROM(NOTE) RIDFLD(NOTE-KEY)
             END-EXEC.
           EXEC SQL
             UPDATE STOCK SET LEFT_OVER = LEFT_OVER - :HOW-MANY
              WHERE ITEM = :ITEM
           END-EXEC.
           IF SQLCODE NOT = 0
      *      Db2 goes on, and so does the unit of work.
             MOVE 'not taken' TO NOTE-TEXT
             MOVE SQLCODE TO SHOWN-CODE
             EXEC CICS READ FILE('NOTES') INTO(NOTE) RIDFLD(NOTE-KEY)
               UPDATE END-EXEC
             MOVE 'not taken' TO NOTE-TEXT
             EXEC CICS REWRITE FILE('NOTES') FROM(NOTE) END-EXEC
           END-IF.
       LEFT-OVER.
           EXEC SQL
             SELECT LEFT_OVER INTO :HOW-MANY FROM STOCK
              WHERE ITEM = :ITEM
           END-EXEC.
           MOVE HOW-MANY TO SHOWN-COUNT.
           MOVE SHOWN-COUNT TO SHOWN-TEXT.
       READ-NOTE.
           EXEC CICS READ FILE('NOTES') INTO(NOTE) RIDFLD(NOTE-KEY)
             NOHANDLE END-EXEC.
           IF EIBRESP = 0
             MOVE NOTE-TEXT TO SHOWN-TEXT
           ELSE
             MOVE 'no note' TO SHOWN-TEXT
           END-IF.
