       IDENTIFICATION DIVISION.
       PROGRAM-ID. BACKS.
      * Adds a record to the file of the COMMAREA, backs out, and tells
      * what came of it and what INQUIRE says.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP.
       01  SHOWN PIC Z9.
       01  REC.
           05 REC-KEY PIC X(4) VALUE 'K001'.
           05 FILLER PIC X(16) VALUE 'RECORD'.
       01  FNAME PIC X(8).
       01  WHAT PIC X(10).
       01  ST1 PIC S9(8) COMP.
       01  ST2 PIC S9(8) COMP.
       01  FLAGS.
           05 BACKOUT PIC X VALUE '-'.
           05 FORWARDS PIC X VALUE '-'.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE CA-TEXT(1:4) TO FNAME.
           EXEC CICS WRITE FILE(FNAME) FROM(REC) RIDFLD(REC-KEY)
                RESP(RC) END-EXEC.
           IF RC NOT = 0
              MOVE RC TO SHOWN
              MOVE SPACES TO CA-TEXT
              STRING 'RESP ' SHOWN DELIMITED BY SIZE INTO CA-TEXT
              EXEC CICS RETURN END-EXEC
           END-IF.
           EXEC CICS INQUIRE FILE(FNAME) RECOVSTATUS(ST1)
                FWDRECSTATUS(ST2) END-EXEC.
           IF ST1 = DFHVALUE(RECOVERABLE) MOVE 'B' TO BACKOUT.
           IF ST2 = DFHVALUE(FWDRECOVABLE) MOVE 'F' TO FORWARDS.
           EXEC CICS SYNCPOINT ROLLBACK END-EXEC.
           EXEC CICS READ FILE(FNAME) INTO(REC) RIDFLD(REC-KEY)
                RESP(RC) END-EXEC.
           EVALUATE RC
              WHEN DFHRESP(NORMAL)
                 MOVE 'STAYED' TO WHAT
                 EXEC CICS DELETE FILE(FNAME) RIDFLD(REC-KEY) END-EXEC
              WHEN DFHRESP(NOTFND)
                 MOVE 'BACKED OUT' TO WHAT
              WHEN OTHER
                 MOVE 'READ' TO WHAT
           END-EVALUATE.
           MOVE SPACES TO CA-TEXT.
           STRING WHAT ' ' FLAGS DELIMITED BY SIZE INTO CA-TEXT.
           EXEC CICS RETURN END-EXEC.
