      * What INQUIRE says of what groups BASE, LATE and LATER define:
      * ADD of the file and whether it is open, trigger level of the
      * queue, priorities of SHOW and MORE. A C in the COMMAREA closes
      * the file and disables the queue, a D discards MORE.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. SEEN.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP.
       01  V PIC S9(8) COMP.
       01  O PIC S9(8) COMP.
       01  N PIC S9(8) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       01  ANSWER REDEFINES DFHCOMMAREA.
           05 A-ADD PIC X(11).
           05 A-OPEN PIC X(7).
           05 A-LEVEL PIC ZZ9.
           05 A-SHOW PIC ZZ9.
           05 A-MORE PIC ZZ9.
           05 A-REST PIC X(33).
       PROCEDURE DIVISION.
           IF CA-TEXT (1:1) = 'C'
              EXEC CICS SET FILE('SHOP') CLOSED END-EXEC
              EXEC CICS SET TDQUEUE('SHOQ') DISABLED END-EXEC
           END-IF.
           IF CA-TEXT (1:1) = 'D'
              EXEC CICS DISCARD TRANSACTION('MORE') END-EXEC
           END-IF.
           MOVE SPACES TO ANSWER.
           EXEC CICS INQUIRE FILE('SHOP') ADD(V) OPENSTATUS(O)
                END-EXEC.
           MOVE 'NOTADDABLE' TO A-ADD.
           IF V = DFHVALUE(ADDABLE) MOVE 'ADDABLE' TO A-ADD.
           MOVE 'CLOSED' TO A-OPEN.
           IF O = DFHVALUE(OPEN) MOVE 'OPEN' TO A-OPEN.
           EXEC CICS INQUIRE TDQUEUE('SHOQ') TRIGGERLEVEL(N) END-EXEC.
           MOVE N TO A-LEVEL.
           EXEC CICS INQUIRE TRANSACTION('SHOW') PRIORITY(N) END-EXEC.
           MOVE N TO A-SHOW.
           EXEC CICS INQUIRE TRANSACTION('MORE') PRIORITY(N)
                RESP(RC) END-EXEC.
           IF RC = 0 MOVE N TO A-MORE.
           EXEC CICS RETURN END-EXEC.
