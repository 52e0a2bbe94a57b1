       IDENTIFICATION DIVISION.
       PROGRAM-ID. SEENPGM.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  RC2 PIC S9(8) COMP.
       01  SCODE PIC X(2).
       01  SHOW PIC Z(8)9.
       01  D PIC X(80).
       01  L PIC S9(4) COMP.
       01  N PIC S9(4) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       01  ECA PIC X(4).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 80 TO L.
           EXEC CICS READQ TS QUEUE('SEEN') INTO(D) LENGTH(L) ITEM(1)
            RESP(RC) END-EXEC.
           MOVE SPACES TO CA-TEXT.
           IF RC = 0 MOVE D (1:L) TO CA-TEXT.
           GOBACK.
