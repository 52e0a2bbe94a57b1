      * The first word says what is created or discarded; the answer is
      * RESP and both halves of RESP2.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. MAKER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP.
       01  RC2 PIC S9(8) COMP.
       01  HALVES REDEFINES RC2.
           05 HIGH-HALF PIC S9(4) COMP.
           05 LOW-HALF PIC S9(4) COMP.
       01  L PIC S9(4) COMP.
       01  N PIC S9(8) COMP.
       01  T PIC X(52).
       01  D PIC X(8) VALUE 'K001DATA'.
       01  K PIC X(4) VALUE 'K001'.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-WHAT PIC X(8).
           05 CA-TEXT PIC X(52).
       01  ANSWER REDEFINES DFHCOMMAREA.
           05 A-RESP PIC -(4)9.
           05 A-HIGH PIC -(5)9.
           05 A-LOW PIC -(5)9.
           05 A-REST PIC X(43).
       PROCEDURE DIVISION.
           MOVE CA-TEXT TO T.
           MOVE 52 TO L.
           EVALUATE CA-WHAT
              WHEN 'TRAN'
                 EXEC CICS CREATE TRANSACTION('MADE') ATTRIBUTES(T)
                      ATTRLEN(L) RESP(RC) RESP2(RC2) END-EXEC
              WHEN 'PROGRAM'
                 EXEC CICS CREATE PROGRAM('OTHER') ATTRIBUTES(T)
                      ATTRLEN(L) NOLOG RESP(RC) RESP2(RC2) END-EXEC
              WHEN 'FILE'
                 EXEC CICS CREATE FILE('MADE') ATTRIBUTES(T)
                      ATTRLEN(L) RESP(RC) RESP2(RC2) END-EXEC
              WHEN 'CLASS'
                 EXEC CICS CREATE TRANCLASS('FEW') ATTRIBUTES(T)
                      ATTRLEN(L) RESP(RC) RESP2(RC2) END-EXEC
              WHEN 'NOTRAN'
                 EXEC CICS DISCARD TRANSACTION('MADE')
                      RESP(RC) RESP2(RC2) END-EXEC
              WHEN 'NOCLASS'
                 EXEC CICS DISCARD TRANCLASS('FEW')
                      RESP(RC) RESP2(RC2) END-EXEC
              WHEN 'BOTH'
                 EXEC CICS WRITE FILE('MADE') FROM(D) RIDFLD(K)
                      RESP(RC) RESP2(RC2) END-EXEC
                 EXEC CICS CREATE FILE('MADE') ATTRIBUTES(T)
                      ATTRLEN(L) RESP(RC) RESP2(RC2) END-EXEC
              WHEN 'READ'
                 MOVE 8 TO L
                 EXEC CICS READ FILE('MADE') INTO(D) RIDFLD(K)
                      LENGTH(L) RESP(RC) RESP2(RC2) END-EXEC
              WHEN 'LENGTH'
                 MOVE -1 TO L
                 EXEC CICS CREATE FILE('MADE') ATTRIBUTES(T)
                      ATTRLEN(L) RESP(RC) RESP2(RC2) END-EXEC
              WHEN 'SEEN'
                 EXEC CICS INQUIRE TRANSACTION('MADE') PRIORITY(N)
                      RESP(RC) RESP2(RC2) END-EXEC
                 IF RC = 0 MOVE N TO RC2
           END-EVALUATE.
           MOVE RC TO A-RESP.
           MOVE HIGH-HALF TO A-HIGH.
           MOVE LOW-HALF TO A-LOW.
           MOVE SPACES TO A-REST.
           EXEC CICS RETURN END-EXEC.
