      * What INQUIRE says of program, transaction, queue and file, or NO
      * for what is not installed.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. TELLER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP.
       01  A PIC S9(8) COMP.
       01  B PIC S9(8) COMP.
       01  C PIC S9(8) COMP.
       01  D PIC S9(8) COMP.
       01  CLASSNAME PIC X(8).
       01  TRANNAME PIC X(4).
       01  DSN PIC X(44).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       01  ANSWER REDEFINES DFHCOMMAREA.
           05 A-PROGRAM PIC X(4).
           05 A-PRIORITY PIC ZZ9.
           05 A-RUNAWAY PIC Z(5)9.
           05 A-PURGE PIC XX.
           05 A-DUMP PIC X.
           05 A-CLASS PIC X(9).
           05 A-LEVEL PIC Z9.
           05 PIC X.
           05 A-ATI PIC X(5).
           05 A-ENABLED PIC XX.
           05 A-FILE PIC XX.
           05 A-STRINGS PIC Z9.
           05 PIC X.
           05 A-DSN PIC X(20).
       PROCEDURE DIVISION.
           MOVE SPACES TO CA-TEXT.
           EXEC CICS INQUIRE PROGRAM('OTHER') CEDFSTATUS(A)
                EXECUTIONSET(B) RESP(RC) END-EXEC.
           IF RC NOT = 0
              MOVE 'NO' TO A-PROGRAM
           ELSE
              IF A = DFHVALUE(CEDF) MOVE 'C' TO A-PROGRAM (1:1)
              ELSE MOVE '-' TO A-PROGRAM (1:1) END-IF
              IF B = DFHVALUE(FULLAPI) MOVE 'F' TO A-PROGRAM (2:1)
              ELSE MOVE '-' TO A-PROGRAM (2:1) END-IF
           END-IF.
           EXEC CICS INQUIRE TRANSACTION('OTHR') PRIORITY(A)
                RUNAWAY(B) PURGEABILITY(C) DUMPING(D)
                TRANCLASS(CLASSNAME) RESP(RC) END-EXEC.
           IF RC NOT = 0
              MOVE 'NO' TO A-CLASS
           ELSE
              MOVE A TO A-PRIORITY
              MOVE B TO A-RUNAWAY
              MOVE ' N' TO A-PURGE
              IF C = DFHVALUE(PURGEABLE) MOVE ' P' TO A-PURGE END-IF
              MOVE '-' TO A-DUMP
              IF D = DFHVALUE(TRANDUMP) MOVE 'D' TO A-DUMP END-IF
              STRING ' ' CLASSNAME DELIMITED SIZE INTO A-CLASS
           END-IF.
           EXEC CICS INQUIRE TDQUEUE('SETQ') TRIGGERLEVEL(A)
                ATITRANID(TRANNAME) ENABLESTATUS(B) RESP(RC) END-EXEC.
           IF RC NOT = 0
              MOVE 'NO' TO A-ATI
           ELSE
              MOVE A TO A-LEVEL
              MOVE TRANNAME TO A-ATI
              MOVE 'D' TO A-ENABLED
              IF B = DFHVALUE(ENABLED) MOVE 'E' TO A-ENABLED END-IF
           END-IF.
           EXEC CICS INQUIRE FILE('SETF') ADD(A) BROWSE(B) STRINGS(C)
                DSNAME(DSN) RESP(RC) END-EXEC.
           IF RC NOT = 0
              MOVE 'NO' TO A-DSN
           ELSE
              MOVE '--' TO A-FILE
              IF A = DFHVALUE(ADDABLE) MOVE 'A' TO A-FILE (1:1) END-IF
              IF B = DFHVALUE(BROWSABLE) MOVE 'B' TO A-FILE (2:1)
              END-IF
              MOVE C TO A-STRINGS
              MOVE DSN TO A-DSN
           END-IF.
           EXEC CICS RETURN END-EXEC.
