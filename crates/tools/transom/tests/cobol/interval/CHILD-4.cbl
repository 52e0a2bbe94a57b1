       IDENTIFICATION DIVISION.
       PROGRAM-ID. CHILD.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  RC2 PIC S9(8) COMP.
       01  SCODE PIC X(2).
       01  SHOW PIC Z(8)9.
       01  D PIC X(4).
       01  L PIC S9(4) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       01  ECA PIC X(4).
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM UNTIL RC NOT = 0
            MOVE 4 TO L
            EXEC CICS RETRIEVE INTO(D) LENGTH(L) WAIT RESP(RC)
            END-EXEC
           END-PERFORM.
           GOBACK.
