       IDENTIFICATION DIVISION.
       PROGRAM-ID. LEAVES.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  RC2 PIC S9(8) COMP.
       01  SCODE PIC X(2).
       01  SHOW PIC Z(8)9.
       01  T1 PIC X(16).
       01  T2 PIC X(16).
       01  T PIC X(16).
       01  CHN PIC X(16).
       01  ST PIC S9(8) COMP.
       01  AB PIC X(4).
       01  D PIC X(20).
       01  L PIC S9(8) COMP.
       01  N PIC S9(4) COMP VALUE 0.
       01  I PIC S9(4) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       01  ECA PIC X(4).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS RUN TRANSID('LEFT') CHILD(T1) RESP(RC) END-EXEC.
           MOVE RC TO SHOW.
           MOVE SHOW TO CA-TEXT.
           GOBACK.
