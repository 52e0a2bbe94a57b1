       IDENTIFICATION DIVISION.
       PROGRAM-ID. STARTS.
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
           MOVE 'SOME DATA' TO D.
           EXEC CICS START TRANSID('STRT') FROM(D) LENGTH(9)
            QUEUE('MYQ') RESP(RC) END-EXEC.
           MOVE RC TO SHOW.
           MOVE SHOW TO CA-TEXT.
           GOBACK.
