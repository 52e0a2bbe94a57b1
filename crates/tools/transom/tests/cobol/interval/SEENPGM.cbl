       IDENTIFICATION DIVISION.
       PROGRAM-ID. SEENPGM.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  RC2 PIC S9(8) COMP.
       01  SCODE PIC X(2).
       01  SHOW PIC Z(8)9.
       01  D PIC X(60).
       01  E PIC X(60).
       01  L PIC S9(4) COMP.
       01  Q PIC X(8).
       01  N PIC S9(4) COMP.
       01  P USAGE POINTER.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       01  ECA PIC X(4).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 60 TO L.
           EXEC CICS READQ TS QUEUE('SEEN') INTO(D) LENGTH(L) ITEM(1)
            NUMITEMS(N) RESP(RC) END-EXEC.
           MOVE SPACES TO CA-TEXT.
           IF RC = 0 AND N = 1 MOVE D TO CA-TEXT.
           IF RC = 0 AND N > 1 MOVE 'TOO MANY' TO CA-TEXT.
           GOBACK.
