       IDENTIFICATION DIVISION.
       PROGRAM-ID. BADOUT.
      * A command that writes, or reads, where there is nothing.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  D PIC X(8) VALUE 'DATA'.
       01  L PIC S9(4) COMP VALUE 8.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       01  NOWHERE PIC X(8).
       PROCEDURE DIVISION.
       MAIN-LINE.
           SET ADDRESS OF NOWHERE TO NULL.
           IF CA-TEXT(1:1) = 'I'
              EXEC CICS WRITEQ TS QUEUE('BADQ') FROM(NOWHERE) LENGTH(8)
                   END-EXEC
           END-IF.
           EXEC CICS WRITEQ TS QUEUE('BADQ') FROM(D) LENGTH(8) END-EXEC.
           EXEC CICS READQ TS QUEUE('BADQ') INTO(NOWHERE) LENGTH(L)
                ITEM(1) END-EXEC.
           EXEC CICS RETURN END-EXEC.
