       IDENTIFICATION DIVISION.
       PROGRAM-ID. GOODS.
      * Changes a record and does something behind it. The answer:
      * RESP and RESP2 of REWRITE, and what the record is then.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  RC2 PIC S9(8) COMP VALUE 0.
       01  LEN PIC S9(4) COMP VALUE 20.
       01  K PIC X(4).
       01  REC.
           05 REC-MARK PIC XX VALUE '--'.
           05 REC-KEY PIC X(4).
           05 REC-TEXT PIC X(14).
           05 FILLER PIC X(20) VALUE SPACES.
       01  SEEN.
           05 FILLER PIC X(6).
           05 SEEN-TEXT PIC X(14).
           05 FILLER PIC X(20).
       01  SHOWN.
           05 SHOWN-RESP PIC 999.
           05 FILLER PIC X VALUE SPACE.
           05 SHOWN-RESP2 PIC 999.
           05 FILLER PIC X VALUE SPACE.
           05 SHOWN-TEXT PIC X(14) VALUE SPACES.
       01  BAD-NUMBER PIC S9(4) COMP-3 VALUE 0.
       01  BAD-BYTES REDEFINES BAD-NUMBER PIC X(3).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-WHAT PIC X(8).
           05 CA-KEY PIC X(4).
           05 FILLER PIC X.
           05 CA-TEXT PIC X(14).
           05 FILLER PIC X(33).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE CA-KEY TO K.
           EVALUATE CA-WHAT
             WHEN 'ADD'
               MOVE CA-KEY TO REC-KEY
               MOVE CA-TEXT TO REC-TEXT
               EXEC CICS WRITE FILE('GOODS') FROM(REC) LENGTH(LEN)
                 RIDFLD(K) RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'READ'
               PERFORM SEE
             WHEN 'ALONE'
               PERFORM REPLACE-IT
             WHEN OTHER
               PERFORM CHANGE-IT
           END-EVALUATE.
           EVALUATE CA-WHAT
             WHEN 'SEES'
               PERFORM SEE
             WHEN 'BROWSES'
               EXEC CICS STARTBR FILE('GOODS') RIDFLD(K) END-EXEC
               MOVE 40 TO LEN
               EXEC CICS READNEXT FILE('GOODS') INTO(SEEN) RIDFLD(K)
                 LENGTH(LEN) END-EXEC
               MOVE SEEN-TEXT TO SHOWN-TEXT
             WHEN 'ROLLBACK'
               EXEC CICS SYNCPOINT ROLLBACK END-EXEC
               PERFORM SEE
             WHEN 'SYNC'
               EXEC CICS SYNCPOINT END-EXEC
               EXEC CICS ABEND ABCODE('GONE') END-EXEC
             WHEN 'ABEND'
               EXEC CICS ABEND ABCODE('GONE') END-EXEC
             WHEN 'CHECK'
               MOVE 'XYX' TO BAD-BYTES
               ADD 1 TO BAD-NUMBER
             WHEN 'TWICE'
               PERFORM CHANGE-IT
               PERFORM SEE
             WHEN 'AGAIN'
               PERFORM REPLACE-IT
             WHEN 'DELETES'
               EXEC CICS DELETE FILE('GOODS') RIDFLD(K) END-EXEC
               EXEC CICS READ FILE('GOODS') INTO(SEEN) RIDFLD(K)
                 LENGTH(LEN) RESP(RC) RESP2(RC2) END-EXEC
           END-EVALUATE.
           MOVE RC TO SHOWN-RESP.
           MOVE RC2 TO SHOWN-RESP2.
           MOVE SHOWN TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
       CHANGE-IT.
           MOVE 40 TO LEN.
           EXEC CICS READ FILE('GOODS') INTO(REC) RIDFLD(K)
                LENGTH(LEN) UPDATE END-EXEC.
           IF CA-WHAT = 'LONGER' MOVE 33 TO LEN.
           IF CA-WHAT = 'TOOLONG' MOVE 41 TO LEN.
           IF CA-WHAT = 'OTHERKEY'
              MOVE 'ZZZZ' TO REC-KEY
              PERFORM REPLACE-IT
              MOVE RC TO SHOWN-RESP
              MOVE RC2 TO SHOWN-RESP2
              IF SHOWN-RESP = 16 AND SHOWN-RESP2 = 46
                 MOVE 'MENDED' TO CA-TEXT
              END-IF
              MOVE K TO REC-KEY
           END-IF.
           PERFORM REPLACE-IT.
       REPLACE-IT.
           MOVE CA-TEXT TO REC-TEXT.
           EXEC CICS REWRITE FILE('GOODS') FROM(REC) LENGTH(LEN)
                RESP(RC) RESP2(RC2) END-EXEC.
       SEE.
           MOVE 40 TO LEN.
           EXEC CICS READ FILE('GOODS') INTO(SEEN) RIDFLD(K)
                LENGTH(LEN) END-EXEC.
           MOVE SEEN-TEXT TO SHOWN-TEXT.
