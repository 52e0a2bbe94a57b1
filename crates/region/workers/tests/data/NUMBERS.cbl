       IDENTIFICATION DIVISION.
       PROGRAM-ID. NUMBERS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 WS-OUT PIC -(9)9.
       01 WS-NOTE.
          05 WS-NOTE-T PIC X(10).
          05 FILLER PIC X VALUE '.'.
       01 N-H PIC S9(4) COMP VALUE -12.
       01 N-F PIC S9(8) COMP VALUE 345678.
       01 N-L PIC S9(5) COMP-5 VALUE -4567.
       01 N-P PIC S9(7) COMP-3 VALUE -1234567.
       01 N-D PIC S9(4) VALUE -1234.
       01 N-V PIC S9(4)V99 COMP-3 VALUE 12.75.
       01 N-1 COMP-1 VALUE 42.
       01 N-R PIC S9(8) COMP-5.
       01 T-X PIC X(8) VALUE SPACES.
       01 P-X USAGE POINTER.
       01 P-N REDEFINES P-X PIC S9(18) COMP-5.
       01 L-X PIC S9(8) COMP VALUE 5000.
       {{STORAGE}}
       LINKAGE SECTION.
       01 DFHEIBLK PIC X(85).
       01 DFHCOMMAREA PIC X(4).
       PROCEDURE DIVISION USING DFHEIBLK DFHCOMMAREA.
           CALL 'TXMENTRY' USING TXM-NAME RETURNING TXM-BRANCH.
           {{NUMBER FROM=N-H INTO=N-R}}
           PERFORM OUT.
           {{NUMBER FROM=N-F INTO=N-D}}
           MOVE N-D TO N-R.
           PERFORM OUT.
           {{NUMBER FROM=N-L INTO=N-P}}
           MOVE N-P TO N-R.
           PERFORM OUT.
           MOVE -1234567 TO N-P.
           {{NUMBER FROM=N-P INTO=N-R}}
           PERFORM OUT.
           MOVE -1234 TO N-D.
           {{NUMBER FROM=N-D INTO=N-1}}
           MOVE N-1 TO N-R.
           PERFORM OUT.
           {{NUMBER FROM=N-V INTO=N-F}}
           MOVE N-F TO N-R.
           PERFORM OUT.
           {{NUMBER FROM=LENGTH~OF~T-X INTO=N-R}}
           PERFORM OUT.
           {{SETTEXT INTO=T-X}}
           MOVE T-X TO WS-NOTE-T.
           {{NOTE FROM=WS-NOTE}}
           {{SETPTR ADDRESS=P-X}}
           MOVE P-N TO N-R.
           PERFORM OUT.
           {{GETMAIN ADDRESS=P-X LENGTH=L-X}}
           MOVE 4 TO L-X.
           {{PEEK ADDRESS=P-X LENGTH=L-X INTO=N-R}}
           PERFORM OUT.
           {{SHAREDMAIN LENGTH=L-X INTO=N-R}}
           PERFORM OUT.
           {{RETURN GOBACK}}
           GOBACK.
       OUT.
           MOVE N-R TO WS-OUT.
           MOVE WS-OUT TO WS-NOTE-T.
           {{NOTE FROM=WS-NOTE}}
           CONTINUE.
