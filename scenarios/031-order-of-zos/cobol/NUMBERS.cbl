      * Packed keys, and keys of a character and a binary number: the
      * numbers in the order of a browse.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. NUMBERS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  P-REC.
           05  P-KEY        PIC S9(5) COMP-3.
           05  FILLER       PIC X(7) VALUE SPACES.
       COPY MIXREC.
       01  VALUES-1         PIC X(25)
               VALUE '0000900024000640012904000'.
       01  VALUES-X REDEFINES VALUES-1.
           05  V            PIC 9(5) OCCURS 5.
       01  N                PIC S9(4) COMP.
       01  RC               PIC S9(8) COMP.
       01  ANSWER           PIC X(60) VALUE SPACES.
       01  AT-1             PIC S9(4) COMP VALUE 1.
       01  SHOWN            PIC 9(3).
       LINKAGE SECTION.
       01  DFHCOMMAREA      PIC X(60).
       PROCEDURE DIVISION.
           PERFORM VARYING N FROM 1 BY 1 UNTIL N > 5
               MOVE V (N) TO P-KEY
               EXEC CICS WRITE FILE('PACKED') FROM(P-REC) RIDFLD(P-KEY)
               END-EXEC
               MOVE V (N) TO MIX-NUMBER
               MOVE '1' TO MIX-BRANCH
               IF N > 2 MOVE 'A' TO MIX-BRANCH END-IF
               EXEC CICS WRITE FILE('MIXED') FROM(MIX-RECORD)
                    RIDFLD(MIX-KEY) END-EXEC
           END-PERFORM.
           MOVE 0 TO P-KEY.
           EXEC CICS STARTBR FILE('PACKED') RIDFLD(P-KEY) GTEQ END-EXEC.
           PERFORM 5 TIMES
               EXEC CICS READNEXT FILE('PACKED') RIDFLD(P-KEY)
                    INTO(P-REC) RESP(RC) END-EXEC
               MOVE P-KEY TO SHOWN
               PERFORM SHOW
           END-PERFORM.
           MOVE LOW-VALUES TO MIX-KEY.
           EXEC CICS STARTBR FILE('MIXED') RIDFLD(MIX-KEY) GTEQ
           END-EXEC.
           PERFORM 5 TIMES
               EXEC CICS READNEXT FILE('MIXED') RIDFLD(MIX-KEY)
                    INTO(MIX-RECORD) RESP(RC) END-EXEC
               MOVE MIX-BRANCH TO ANSWER (AT-1:1)
               ADD 1 TO AT-1
               MOVE MIX-NUMBER TO SHOWN
               PERFORM SHOW
           END-PERFORM.
           MOVE ANSWER TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
       SHOW.
           MOVE SHOWN TO ANSWER (AT-1:3).
           ADD 4 TO AT-1.
