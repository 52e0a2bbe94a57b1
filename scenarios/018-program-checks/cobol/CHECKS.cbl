       IDENTIFICATION DIVISION.
       PROGRAM-ID. CHECKS.
      * LINKs to the program named in the COMMAREA and says what ASSIGN
      * knows of its abend: code, program, interruption, whether the
      * offset and the address in the PSW are those of the program.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  PGM     PIC X(8).
       01  CODE-4  PIC X(4).
       01  FAILED  PIC X(8).
       01  DMP     PIC X.
       01  OFFSET  PIC S9(8) COMP.
       01  PSW     PIC X(8).
       01  PSW16   PIC X(16).
       01  INTRPT.
           05 FILLER  PIC X(2).
           05 I-CODE  PIC S9(4) COMP.
           05 I-ADDR  PIC S9(8) COMP.
       01  REGS    PIC X(64).
       01  LOADED  PIC S9(9) COMP.
       01  P REDEFINES LOADED POINTER.
       01  SIZE-OF PIC S9(8) COMP.
       01  DIGITS  PIC 99.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS HANDLE ABEND LABEL(GONE) END-EXEC.
           MOVE DFHCOMMAREA TO PGM.
           MOVE SPACES TO DFHCOMMAREA.
           EXEC CICS LINK PROGRAM(PGM) COMMAREA(DFHCOMMAREA) END-EXEC.
           MOVE 'NO ABEND' TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
       GONE.
           EXEC CICS ASSIGN ABCODE(CODE-4) ABPROGRAM(FAILED)
                ABOFFSET(OFFSET) ASRAPSW(PSW) ASRAPSW16(PSW16)
                ASRAINTRPT(INTRPT) ASRAREGS(REGS) END-EXEC.
           MOVE SPACES TO DFHCOMMAREA.
           MOVE CODE-4 TO DFHCOMMAREA(1:4).
           MOVE FAILED TO DFHCOMMAREA(6:8).
           MOVE I-CODE TO DIGITS.
           MOVE DIGITS TO DFHCOMMAREA(15:2).
           EXEC CICS LOAD PROGRAM(FAILED) SET(P) FLENGTH(SIZE-OF)
                END-EXEC.
           IF OFFSET > 0 AND OFFSET < SIZE-OF
              MOVE 'INSIDE' TO DFHCOMMAREA(18:6).
           IF PSW16(14:3) = PSW(6:3) AND PSW NOT = LOW-VALUES
              MOVE 'PSW' TO DFHCOMMAREA(25:3).
           IF I-CODE = 4 AND I-ADDR = 64
              MOVE '64' TO DFHCOMMAREA(29:2).
           IF REGS = LOW-VALUES
              MOVE 'NOREGS' TO DFHCOMMAREA(32:6).
           EXEC CICS RETURN END-EXEC.
