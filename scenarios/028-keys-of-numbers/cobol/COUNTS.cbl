      * Keys of a letter and a COMP-5 number, and alternate keys of
      * floating point, in the order of a browse.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. COUNTS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY KEYREC.
       01  GIVEN            PIC X(20)
               VALUE 'A256A001A2551003A900'.
       01  GIVEN-X REDEFINES GIVEN.
           05  G            OCCURS 5.
               10  G-BRANCH PIC X.
               10  G-COUNT  PIC 9(3).
       01  N                PIC S9(4) COMP.
       01  RC               PIC S9(8) COMP.
       01  ANSWER           PIC X(60) VALUE SPACES.
       01  AT-1             PIC S9(4) COMP VALUE 1.
       01  SHOWN            PIC 9(3).
       LINKAGE SECTION.
       01  DFHCOMMAREA      PIC X(60).
       PROCEDURE DIVISION.
           EVALUATE DFHCOMMAREA (1:1)
               WHEN 'W' PERFORM WRITE-ALL
               WHEN 'K' PERFORM BY-KEY
               WHEN 'R' PERFORM BY-RATE
               WHEN 'G' PERFORM BY-BEGINNING
           END-EVALUATE.
           MOVE ANSWER TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
       WRITE-ALL.
           MOVE 'WRITTEN' TO ANSWER.
           PERFORM VARYING N FROM 1 BY 1 UNTIL N > 5
               MOVE G-BRANCH (N) TO KEY-BRANCH
               MOVE G-COUNT (N) TO KEY-COUNT
               COMPUTE KEY-RATE = 1000 / KEY-COUNT
               EXEC CICS WRITE FILE('COUNTED') FROM(KEY-RECORD)
                    RIDFLD(KEY-1) END-EXEC
           END-PERFORM.
       BY-KEY.
           MOVE 'A' TO KEY-BRANCH.
           MOVE 2 TO KEY-COUNT.
           EXEC CICS STARTBR FILE('COUNTED') RIDFLD(KEY-1) GTEQ
           END-EXEC.
           PERFORM 4 TIMES
               EXEC CICS READNEXT FILE('COUNTED') INTO(KEY-RECORD)
                    RIDFLD(KEY-1) END-EXEC
               PERFORM SHOW
           END-PERFORM.
       BY-RATE.
           MOVE 2 TO KEY-RATE.
           EXEC CICS STARTBR FILE('BYRATE') RIDFLD(KEY-RATE) GTEQ
           END-EXEC.
           PERFORM 4 TIMES
               EXEC CICS READNEXT FILE('BYRATE') INTO(KEY-RECORD)
                    RIDFLD(KEY-RATE) END-EXEC
               PERFORM SHOW
           END-PERFORM.
       BY-BEGINNING.
           MOVE '1' TO KEY-BRANCH.
           EXEC CICS READ FILE('COUNTED') INTO(KEY-RECORD)
                RIDFLD(KEY-1) KEYLENGTH(1) GENERIC END-EXEC.
           PERFORM SHOW.
           EXEC CICS READ FILE('COUNTED') INTO(KEY-RECORD)
                RIDFLD(KEY-1) KEYLENGTH(2) GENERIC RESP(RC)
                END-EXEC.
           IF RC = DFHRESP(ILLOGIC)
               MOVE 'ILLOGIC' TO ANSWER (AT-1:)
           END-IF.
       SHOW.
           MOVE KEY-BRANCH TO ANSWER (AT-1:1).
           MOVE KEY-COUNT TO SHOWN.
           MOVE SHOWN TO ANSWER (AT-1 + 1:3).
           ADD 5 TO AT-1.
