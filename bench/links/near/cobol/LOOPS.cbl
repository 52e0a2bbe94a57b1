      * Commands of another region, so many: L LINK, S LINK with
      * SYNCONRETURN, R READ, N none.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LOOPS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  N                 PIC S9(8) COMP.
       01  RECORD-AREA       PIC X(80).
       01  RECORD-KEY        PIC 9(8).
       01  WHOLE             PIC S9(8) COMP.
       01  LINK-AREA         PIC X(32) VALUE SPACES.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  KIND          PIC X.
           05  TIMES-N       PIC 9(7).
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM ONE VARYING N FROM 1 BY 1 UNTIL N > TIMES-N.
           EXEC CICS RETURN END-EXEC.
       ONE.
           EVALUATE KIND
               WHEN 'L'
                   EXEC CICS LINK PROGRAM('NOTHING')
                        COMMAREA(LINK-AREA)
                   END-EXEC
               WHEN 'S'
                   EXEC CICS LINK PROGRAM('NOTHING')
                        COMMAREA(LINK-AREA) SYNCONRETURN
                   END-EXEC
               WHEN 'R'
                   DIVIDE N BY 100 GIVING WHOLE REMAINDER RECORD-KEY
                   ADD 1 TO RECORD-KEY
                   EXEC CICS READ FILE('RECORDS') INTO(RECORD-AREA)
                        RIDFLD(RECORD-KEY)
                   END-EXEC
           END-EVALUATE.
