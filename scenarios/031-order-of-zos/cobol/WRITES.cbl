      * Writes a record for each pair of characters of the COMMAREA, with
      * the pair as key and as alternate key, and one for each end.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. WRITES.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC.
           05  REC-KEY      PIC X(2).
           05  FILLER       PIC X(3) VALUE '---'.
           05  REC-OTHER    PIC X(2).
           05  FILLER       PIC X(3) VALUE '---'.
       01  N                PIC S9(4) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  PAIR         PIC X(2) OCCURS 30.
       PROCEDURE DIVISION.
           PERFORM VARYING N FROM 1 BY 1
                   UNTIL N > 30 OR PAIR (N) = SPACES
               MOVE PAIR (N) TO REC-KEY REC-OTHER
               PERFORM WRITE-IT
           END-PERFORM.
           MOVE LOW-VALUES TO REC-KEY REC-OTHER.
           PERFORM WRITE-IT.
           MOVE HIGH-VALUES TO REC-KEY REC-OTHER.
           PERFORM WRITE-IT.
           MOVE 'WRITTEN' TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
       WRITE-IT.
           EXEC CICS WRITE FILE('KEYS') FROM(REC) RIDFLD(REC-KEY)
           END-EXEC.
