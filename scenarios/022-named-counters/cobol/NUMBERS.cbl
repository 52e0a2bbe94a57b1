       IDENTIFICATION DIVISION.
       PROGRAM-ID. NUMBERS.
      * What the COMMAREA asks of the counter INVOICE: D defines it, G
      * takes a number, Q tells the next one, W takes 1 to 3 again and
      * again from SMALL, X deletes.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP.
       01  RC2 PIC S9(8) COMP.
       01  N PIC S9(8) COMP VALUE 0.
       01  LOW-N PIC S9(8) COMP VALUE 1.
       01  HIGH-N PIC S9(8) COMP VALUE 3.
       01  SHOWN PIC Z(8)9.
       01  SHOWN2 PIC ZZ9.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EVALUATE CA-TEXT(1:1)
              WHEN 'D'
                 EXEC CICS DEFINE COUNTER('SMALL') MINIMUM(LOW-N)
                      MAXIMUM(HIGH-N) VALUE(LOW-N)
                      RESP(RC) RESP2(RC2) END-EXEC
                 EXEC CICS DEFINE COUNTER('INVOICE') MINIMUM(LOW-N)
                      VALUE(LOW-N) RESP(RC) RESP2(RC2) END-EXEC
              WHEN 'G'
                 EXEC CICS GET COUNTER('INVOICE') VALUE(N)
                      RESP(RC) RESP2(RC2) END-EXEC
              WHEN 'Q'
                 EXEC CICS QUERY COUNTER('INVOICE') VALUE(N)
                      RESP(RC) RESP2(RC2) END-EXEC
              WHEN 'W'
                 EXEC CICS GET COUNTER('SMALL') VALUE(N) WRAP
                      RESP(RC) RESP2(RC2) END-EXEC
              WHEN 'X'
                 EXEC CICS DELETE COUNTER('INVOICE')
                      RESP(RC) RESP2(RC2) END-EXEC
           END-EVALUATE.
           MOVE SPACES TO CA-TEXT.
           IF RC = 0
              MOVE N TO SHOWN
              MOVE SHOWN TO CA-TEXT
           ELSE
              MOVE RC2 TO SHOWN2
              STRING 'REFUSED' SHOWN2 DELIMITED BY SIZE INTO CA-TEXT
           END-IF.
           EXEC CICS RETURN END-EXEC.
