       IDENTIFICATION DIVISION.
       PROGRAM-ID. FULLDISK.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC.
           05 REC-KEY PIC X(4).
           05 REC-DATA PIC X(1996).
       01  RC PIC S9(8) COMP VALUE 0.
       01  RC2 PIC S9(8) COMP VALUE 0.
       01  SHOWN PIC 9(4).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 WHAT PIC X.
           05 KEY-F PIC X(4).
           05 FILLER PIC X(10).
       01  ANSWER REDEFINES DFHCOMMAREA.
           05 A1 PIC X(4).
           05 A-FILL PIC X.
           05 A2 PIC X(4).
           05 A-REST PIC X(6).
       PROCEDURE DIVISION.
           MOVE KEY-F TO REC-KEY.
           MOVE ALL 'x' TO REC-DATA.
           EVALUATE WHAT
             WHEN 'W'
               EXEC CICS WRITE FILE('BIGF') FROM(REC) RIDFLD(REC-KEY)
                    RESP(RC) END-EXEC
               EXEC CICS SYNCPOINT RESP(RC2) END-EXEC
             WHEN 'R'
               EXEC CICS READ FILE('BIGF') INTO(REC) RIDFLD(REC-KEY)
                    RESP(RC) END-EXEC
             WHEN 'J'
               EXEC CICS WRITE JOURNALNAME('FULLJ1') JTYPEID('XX')
                    FROM(REC) WAIT RESP(RC) END-EXEC
             WHEN 'X'
               EXEC CICS WRITEQ TD QUEUE('OUTQ') FROM(REC)
                    RESP(RC) END-EXEC
             WHEN 'A'
               EXEC CICS ABEND ABCODE('FULL') END-EXEC
           END-EVALUATE.
           MOVE SPACES TO ANSWER.
           MOVE RC TO SHOWN.
           MOVE SHOWN TO A1.
           MOVE RC2 TO SHOWN.
           MOVE SHOWN TO A2.
           EXEC CICS RETURN END-EXEC.
