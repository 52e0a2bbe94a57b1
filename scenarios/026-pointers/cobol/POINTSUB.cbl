       IDENTIFICATION DIVISION.
       PROGRAM-ID. POINTSUB.
      * No commands here: it is CALLed, and has no storage but its own.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  MINE PIC X(20) VALUE 'OF THE SUBPROGRAM'.
       LINKAGE SECTION.
       01  P-1 POINTER.
       01  P-2 POINTER.
       01  P-3 POINTER.
       PROCEDURE DIVISION USING P-1 P-2 P-3.
           SET P-1 TO P-3.
           SET P-2 TO ADDRESS OF MINE.
           GOBACK.
