       IDENTIFICATION DIVISION.
       PROGRAM-ID. SWITCH.
      * Tells what monitoring does, and switches it.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  ST     PIC S9(8) COMP.
       01  PE     PIC S9(8) COMP.
       01  EX     PIC S9(8) COMP.
       01  FR     PIC S9(8) COMP.
       01  R      PIC S9(8) COMP.
       01  R2     PIC S9(8) COMP.
       01  SHOW   PIC ZZ9.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-WHAT PIC X(8).
           05 CA-REST PIC X(52).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 0 TO R R2.
           EVALUATE CA-WHAT
               WHEN 'ON'
                   EXEC CICS SET MONITOR ON PERF RESP(R) RESP2(R2)
                        END-EXEC
               WHEN 'NOPERF'
                   MOVE DFHVALUE(NOPERF) TO PE
                   EXEC CICS SET MONITOR PERFCLASS(PE) RESP(R)
                        RESP2(R2) END-EXEC
               WHEN 'WRONG'
                   MOVE 4711 TO ST
                   EXEC CICS SET MONITOR STATUS(ST) RESP(R)
                        RESP2(R2) END-EXEC
               WHEN 'EXCEPT'
                   EXEC CICS SET MONITOR EXCEPT RESP(R) RESP2(R2)
                        END-EXEC
           END-EVALUATE.
           MOVE SPACES TO DFHCOMMAREA.
           IF R NOT = 0
               MOVE R TO SHOW
               STRING 'RESP ' SHOW DELIMITED BY SIZE INTO CA-REST
               MOVE R2 TO SHOW
               MOVE SHOW TO CA-REST(10:3)
               GOBACK
           END-IF.
           EXEC CICS INQUIRE MONITOR STATUS(ST) PERFCLASS(PE)
                EXCEPTCLASS(EX) FREQUENCYSECS(FR) END-EXEC.
           MOVE 'OFF' TO CA-WHAT.
           IF ST = DFHVALUE(ON) MOVE 'ON' TO CA-WHAT.
           MOVE 'NOPERF' TO CA-REST.
           IF PE = DFHVALUE(PERF) MOVE 'PERF' TO CA-REST.
           IF EX NOT = DFHVALUE(NOEXCEPT) OR FR NOT = 0
               MOVE 'CONSTANTS' TO CA-REST.
           GOBACK.
