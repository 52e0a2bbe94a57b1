      * S sets attributes of all that the deck defines, D disables and
      * discards. The answer is the first condition that was not NORMAL.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. SETTER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP.
       01  WORST PIC S9(8) COMP VALUE 0.
       01  DSN PIC X(44) VALUE 'TEST.AFTER'.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       PROCEDURE DIVISION.
           IF CA-TEXT (1:1) = 'S'
              PERFORM SETS
           ELSE
              PERFORM DISCARDS
           END-IF.
           MOVE SPACES TO CA-TEXT.
           IF WORST = 0
              MOVE 'DONE' TO CA-TEXT
           ELSE
              MOVE 'FAILED' TO CA-TEXT
           END-IF.
           EXEC CICS RETURN END-EXEC.
       SETS.
           EXEC CICS SET PROGRAM('OTHER') NOCEDF DPLSUBSET
                RESP(RC) END-EXEC.
           PERFORM LOOK.
           EXEC CICS SET TRANSACTION('OTHR') PRIORITY(77)
                RUNAWAY(7000) PURGEABLE TRANCLASS('SETCLASS')
                NOTRANDUMP RESP(RC) END-EXEC.
           PERFORM LOOK.
           EXEC CICS SET TDQUEUE('SETQ') TRIGGERLEVEL(4)
                ATITRANID('MORE') DISABLED RESP(RC) END-EXEC.
           PERFORM LOOK.
           EXEC CICS SET FILE('SETF') CLOSED RESP(RC) END-EXEC.
           PERFORM LOOK.
           EXEC CICS SET FILE('SETF') ADDABLE BROWSABLE DSNAME(DSN)
                STRINGS(5) RESP(RC) END-EXEC.
           PERFORM LOOK.
       DISCARDS.
           EXEC CICS DISCARD FILE('SETF') RESP(RC) END-EXEC.
           PERFORM LOOK.
           EXEC CICS DISCARD TDQUEUE('SETQ') RESP(RC) END-EXEC.
           PERFORM LOOK.
           EXEC CICS DISCARD TRANSACTION('OTHR') RESP(RC) END-EXEC.
           PERFORM LOOK.
           EXEC CICS DISCARD PROGRAM('OTHER') RESP(RC) END-EXEC.
           PERFORM LOOK.
       LOOK.
           IF RC NOT = 0 AND WORST = 0
              MOVE RC TO WORST
           END-IF.
