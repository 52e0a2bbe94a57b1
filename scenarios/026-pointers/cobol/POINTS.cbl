       IDENTIFICATION DIVISION.
       PROGRAM-ID. POINTS.
      * Pointers of four bytes in every use the language has for them.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  FAILED PIC X(60) VALUE SPACES.
       01  AT-END PIC S9(4) COMP VALUE 1.
       01  RECORD-1.
           05  R-BEFORE PIC X(3) VALUE 'AAA'.
           05  R-PTR USAGE IS POINTER VALUE NULL.
           05  R-NUM REDEFINES R-PTR PIC S9(8) COMP.
           05  R-HEX REDEFINES R-PTR PIC X(4).
           05  R-AFTER PIC X(3) VALUE 'ZZZ'.
       01  TABLE-1.
           05  T-ENTRY OCCURS 5.
               10  T-PTR POINTER.
               10  T-NO PIC 9(2).
           05  T-LIST POINTER OCCURS 3 TIMES.
       01  GROUP-1 POINTER.
           05  G-1.
           05  G-2.
       01  F-PTR FUNCTION-POINTER VALUE NULL.
       01  P-PTR PROCEDURE-POINTER.
       77  OTHER-PTR POINTER.
       01  SHARED-BYTES PIC S9(8) COMP VALUE 100.
       01  TEXT-1 PIC X(20) VALUE 'FIRST TEXT'.
       01  TEXT-2 PIC X(20) VALUE 'SECOND TEXT'.
       01  I PIC S9(4) COMP.
       LOCAL-STORAGE SECTION.
       01  LOCAL-1 PIC X(10) VALUE 'LOCAL'.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-TEXT PIC X(60).
       01  L-TEXT PIC X(20).
       01  L-OTHER PIC X(20).
       01  L-CWA PIC X(16).
       PROCEDURE DIVISION.
       MAIN-LINE.
           IF LENGTH OF RECORD-1 NOT = 10 OR LENGTH OF R-PTR NOT = 4
              OR LENGTH OF TABLE-1 NOT = 42 OR LENGTH OF GROUP-1 NOT = 8
              OR LENGTH OF F-PTR NOT = 4 OR LENGTH OF P-PTR NOT = 8
              MOVE 'LENGTHS' TO FAILED
              PERFORM OVER
           END-IF.
           IF R-PTR NOT = NULL OR NULLS NOT EQUAL TO R-PTR
              OR F-PTR NOT = NULL OR R-HEX NOT = LOW-VALUES
              MOVE 'NULL' TO FAILED
              PERFORM OVER
           END-IF.
           SET R-PTR TO ADDRESS OF TEXT-1.
           SET ADDRESS OF L-TEXT TO R-PTR.
           IF L-TEXT NOT = 'FIRST TEXT' OR R-AFTER NOT = 'ZZZ'
              OR R-NUM NOT > 0 OR R-BEFORE NOT = 'AAA'
              MOVE 'SET' TO FAILED
              PERFORM OVER
           END-IF.
           IF ADDRESS OF L-TEXT NOT = ADDRESS OF TEXT-1
              OR R-PTR NOT = ADDRESS OF TEXT-1
              OR ADDRESS OF TEXT-2 = R-PTR
              MOVE 'COMPARE' TO FAILED
              PERFORM OVER
           END-IF.
      * The idioms of old programs: arithmetic on a redefinition.
           ADD 6 TO R-NUM.
           SET ADDRESS OF L-TEXT TO R-PTR.
           IF L-TEXT(1:4) NOT = 'TEXT'
              MOVE 'ARITHMETIC' TO FAILED
              PERFORM OVER
           END-IF.
           SET R-PTR DOWN BY 6.
           SET OTHER-PTR TO R-PTR.
           SET OTHER-PTR UP BY LENGTH OF R-BEFORE.
           SET ADDRESS OF L-TEXT TO OTHER-PTR.
           IF L-TEXT(1:2) NOT = 'ST' OR OTHER-PTR = R-PTR
              MOVE 'UP BY' TO FAILED
              PERFORM OVER
           END-IF.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 5
              SET T-PTR (I) TO ADDRESS OF TEXT-2 (I:)
              MOVE I TO T-NO (I)
           END-PERFORM.
           SET T-LIST (2) TO T-PTR OF T-ENTRY (3).
           SET ADDRESS OF L-TEXT TO T-LIST (2).
           IF L-TEXT(1:4) NOT = 'COND'
              MOVE 'TABLE' TO FAILED
              PERFORM OVER
           END-IF.
           SET G-1 G-2 TO T-PTR (1).
           IF G-1 NOT EQUAL G-2 OR G-2 = NULL
              MOVE 'GROUP' TO FAILED
              PERFORM OVER
           END-IF.
      * INITIALIZE leaves pointers as they are.
           INITIALIZE TABLE-1 RECORD-1.
           IF T-PTR (1) NOT = G-1 OR T-NO (1) NOT = 0
              OR T-LIST (2) = NULL OR R-PTR = NULL OR R-AFTER NOT = ' '
              MOVE 'INITIALIZE' TO FAILED
              PERFORM OVER
           END-IF.
           SET R-PTR TO NULL.
           EVALUATE R-PTR ALSO TRUE
              WHEN G-1 ALSO TRUE
                 MOVE 'EVALUATE' TO FAILED
              WHEN NULL ALSO TRUE
                 CONTINUE
              WHEN OTHER
                 MOVE 'EVALUATE OTHER' TO FAILED
           END-EVALUATE.
           EVALUATE TRUE
              WHEN G-1 = ADDRESS OF TEXT-1
                 MOVE 'WHEN' TO FAILED
              WHEN G-1 = ADDRESS OF TEXT-2
                 CONTINUE
              WHEN OTHER
                 MOVE 'WHEN OTHER' TO FAILED
           END-EVALUATE.
           IF FAILED NOT = SPACES
              PERFORM OVER
           END-IF.
           SET R-PTR TO ADDRESS OF LOCAL-1.
           SET ADDRESS OF L-TEXT TO R-PTR.
           IF L-TEXT(1:5) NOT = 'LOCAL'
              MOVE 'LOCAL-STORAGE' TO FAILED
              PERFORM OVER
           END-IF.
           SET R-PTR TO ADDRESS OF DFHEIBLK.
           SET ADDRESS OF L-TEXT TO R-PTR.
           IF L-TEXT(9:4) NOT = EIBTRNID
              MOVE 'EIB' TO FAILED
              PERFORM OVER
           END-IF.
           SET R-PTR TO ADDRESS OF DFHCOMMAREA.
           SET ADDRESS OF L-TEXT TO R-PTR.
           IF L-TEXT NOT = CA-TEXT(1:20)
              MOVE 'COMMAREA' TO FAILED
              PERFORM OVER
           END-IF.
           PERFORM STORAGE-OF-COMMANDS.
           PERFORM CALLS.
           MOVE 'ALL RIGHT' TO FAILED.
           PERFORM OVER.
       STORAGE-OF-COMMANDS.
           EXEC CICS GETMAIN SET(R-PTR) FLENGTH(100) INITIMG('*')
           END-EXEC.
           SET ADDRESS OF L-TEXT TO R-PTR.
           IF L-TEXT NOT = ALL '*' OR R-AFTER NOT = SPACES
              MOVE 'GETMAIN' TO FAILED
              PERFORM OVER
           END-IF.
           MOVE 'IN GETMAIN' TO L-TEXT.
           EXEC CICS WRITEQ TS QUEUE('POINTERS') FROM(L-TEXT) END-EXEC.
           EXEC CICS FREEMAIN DATAPOINTER(R-PTR) END-EXEC.
           EXEC CICS READQ TS QUEUE('POINTERS') SET(R-PTR) ITEM(1)
                LENGTH(I) END-EXEC.
           SET ADDRESS OF L-OTHER TO R-PTR.
           IF L-OTHER NOT = 'IN GETMAIN'
              MOVE 'READQ SET' TO FAILED
              PERFORM OVER
           END-IF.
           EXEC CICS DELETEQ TS QUEUE('POINTERS') END-EXEC.
           EXEC CICS GETMAIN SHARED SET(ADDRESS OF L-TEXT)
                FLENGTH(SHARED-BYTES) END-EXEC.
           SET OTHER-PTR TO ADDRESS OF L-TEXT.
           MOVE 'SHARED' TO L-TEXT.
           SET ADDRESS OF L-OTHER TO OTHER-PTR.
           IF L-OTHER NOT = 'SHARED'
              MOVE 'SHARED' TO FAILED
              PERFORM OVER
           END-IF.
           EXEC CICS FREEMAIN DATAPOINTER(OTHER-PTR) END-EXEC.
           EXEC CICS ADDRESS CWA(R-PTR) END-EXEC.
           SET ADDRESS OF L-CWA TO R-PTR.
           MOVE 'IN THE CWA' TO L-CWA.
           EXEC CICS ADDRESS CWA(ADDRESS OF L-OTHER) END-EXEC.
           IF L-OTHER(1:10) NOT = 'IN THE CWA'
              MOVE 'CWA' TO FAILED
              PERFORM OVER
           END-IF.
      * There is no TWA: the null address of CICS is not COBOL's.
           EXEC CICS ADDRESS TWA(R-PTR) END-EXEC.
           IF R-PTR = NULL OR R-HEX NOT = X'FF000000'
              MOVE 'NO TWA' TO FAILED
              PERFORM OVER
           END-IF.
       CALLS.
           SET R-PTR TO NULL.
           CALL 'POINTSUB' USING R-PTR ADDRESS OF L-TEXT
                BY CONTENT ADDRESS OF TEXT-2.
           IF R-PTR = NULL OR L-TEXT NOT = 'OF THE SUBPROGRAM'
              MOVE 'CALL' TO FAILED
              PERFORM OVER
           END-IF.
           SET ADDRESS OF L-OTHER TO R-PTR.
           IF L-OTHER NOT = 'SECOND TEXT'
              MOVE 'CALL BY REFERENCE' TO FAILED
              PERFORM OVER
           END-IF.
       OVER.
           MOVE FAILED TO CA-TEXT.
           EXEC CICS RETURN END-EXEC.
