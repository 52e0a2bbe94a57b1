       IDENTIFICATION DIVISION.
       PROGRAM-ID. PURGES.
      * Purges the task that sleeps: PURGE or FORCE in the COMMAREA.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP.
       01  RC2 PIC S9(8) COMP.
       01  SHOWN PIC Z9.
       01  SHOWN2 PIC Z9.
       01  D.
           05 TASK-NO PIC 9(8).
       01  L PIC S9(4) COMP VALUE 8.
       01  T PIC S9(7) COMP-3.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS READQ TS QUEUE('SLEEPS') INTO(D) LENGTH(L) ITEM(1)
                END-EXEC.
           MOVE TASK-NO TO T.
           IF CA-TEXT(1:5) = 'PURGE'
              EXEC CICS SET TASK(T) PURGE RESP(RC) RESP2(RC2) END-EXEC
           ELSE
              EXEC CICS SET TASK(T) FORCEPURGE RESP(RC) RESP2(RC2)
                   END-EXEC
           END-IF.
           MOVE RC TO SHOWN.
           MOVE RC2 TO SHOWN2.
           MOVE SPACES TO CA-TEXT.
           STRING 'RESP ' SHOWN ' ' SHOWN2 DELIMITED BY SIZE
                INTO CA-TEXT.
           EXEC CICS RETURN END-EXEC.
