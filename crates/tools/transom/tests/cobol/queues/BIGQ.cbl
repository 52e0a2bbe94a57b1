       IDENTIFICATION DIVISION.
       PROGRAM-ID. BIGQ.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  RC2 PIC S9(8) COMP.
       01  SCODE PIC X(2).
       01  SHOW PIC Z(8)9.
       01  D PIC X(32000).
       01  L PIC S9(8) COMP.
       01  I PIC S9(4) COMP.
       01  K PIC 9(8).
       01  BAD PIC 9(8) VALUE 0.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       01  ECA PIC X(4).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE ALL 'abcdefg' TO D.
           MOVE 32000 TO L.
           EVALUATE CA-TEXT (1:1)
            WHEN 'W' PERFORM VARYING I FROM 1 BY 1 UNTIL I > 800
             MOVE I TO K
             MOVE K TO D (1:8)
             EXEC CICS WRITEQ TS QUEUE('BIG') FROM(D) LENGTH(L)
              RESP(RC) END-EXEC
             IF RC NOT = 0 ADD 1 TO BAD END-IF
            END-PERFORM
            WHEN 'C' PERFORM VARYING I FROM 1 BY 1 UNTIL I > 800
             MOVE 32000 TO L
             EXEC CICS READQ TS QUEUE('BIG') INTO(D) LENGTH(L)
              ITEM(I) RESP(RC) END-EXEC
             MOVE I TO K
             IF RC NOT = 0 OR D (1:8) NOT = K OR L NOT = 32000
              OR D (31990:1) NOT = 'g' ADD 1 TO BAD END-IF
            END-PERFORM
            WHEN 'R' MOVE 700 TO I
             MOVE 'NEW' TO D
             EXEC CICS WRITEQ TS QUEUE('BIG') FROM(D) LENGTH(3)
              ITEM(I) REWRITE RESP(RC) END-EXEC
             IF RC NOT = 0 ADD 1 TO BAD END-IF
             EXEC CICS READQ TS QUEUE('BIG') INTO(D) LENGTH(L)
              ITEM(I) RESP(RC) END-EXEC
             IF RC NOT = 0 OR L NOT = 3 ADD 1 TO BAD END-IF
            WHEN 'M' PERFORM VARYING I FROM 1 BY 1 UNTIL I > 800
             EXEC CICS WRITEQ TS QUEUE('MAINQ') MAIN FROM(D) LENGTH(L)
              RESP(RC) END-EXEC
             IF RC NOT = 0 AND RC NOT = DFHRESP(NOSPACE)
              MOVE 9999 TO BAD END-IF
             IF RC = DFHRESP(NOSPACE) ADD 1 TO BAD END-IF
            END-PERFORM
            EXEC CICS DELETEQ TS QUEUE('MAINQ') END-EXEC
            WHEN 'D'
             EXEC CICS DELETEQ TS QUEUE('BIG') END-EXEC
           END-EVALUATE.
           MOVE BAD TO CA-TEXT.
           GOBACK.
