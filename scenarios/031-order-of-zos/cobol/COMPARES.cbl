      * The pairs of the COMMAREA sorted by SORT, and what the rest of
      * the language says of their order: a minus where it differs.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. COMPARES.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  TAB.
           05  E OCCURS 12 ASCENDING KEY K INDEXED BY I.
               10  K        PIC X(2).
       01  ANSWER.
           05  A-SORTED     PIC X(24).
           05  A-MARKS      PIC X(20) VALUE SPACES.
       01  AT-1             PIC S9(4) COMP VALUE 1.
       01  ONE              PIC X(2).
       01  GROUP-1.
           05  GROUP-2      PIC X.
           05  GROUP-3      PIC 9.
       01  SWITCH           PIC X VALUE X'F1'.
           88  IS-ON        VALUE X'F1'.
           88  A-LETTER     VALUE 'a' THRU 'Z'.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  PAIRS        PIC X(24).
           05  FILLER       PIC X(36).
       PROCEDURE DIVISION.
           MOVE PAIRS TO TAB.
           SORT E ASCENDING KEY K.
           MOVE TAB TO A-SORTED.
           PERFORM VARYING I FROM 2 BY 1 UNTIL I > 12
               MOVE K (I) TO ONE
               IF K (I - 1) NOT < ONE PERFORM DIFFERS END-IF
               IF FUNCTION MAX (K (I - 1) ONE) NOT = ONE
                   PERFORM DIFFERS END-IF
               IF K (I - 1) NOT > LOW-VALUES PERFORM DIFFERS END-IF
               IF ONE NOT < HIGH-VALUES PERFORM DIFFERS END-IF
           END-PERFORM.
           SET I TO 1.
           SEARCH ALL E AT END PERFORM DIFFERS
               WHEN K (I) = 'ZZ' CONTINUE.
           MOVE 'Z' TO GROUP-2. MOVE 9 TO GROUP-3.
           IF GROUP-1 NOT > 'ZZ ' PERFORM DIFFERS.
           IF NOT IS-ON OR A-LETTER PERFORM DIFFERS.
           EVALUATE SWITCH
             WHEN 'A' THRU 'Z' PERFORM DIFFERS
             WHEN 'Z' THRU '9' CONTINUE
             WHEN OTHER PERFORM DIFFERS
           END-EVALUATE.
           IF FUNCTION ORD ('A') NOT = 194 OR FUNCTION CHAR (241)
              NOT = '0' PERFORM DIFFERS.
           INSPECT A-SORTED REPLACING ALL X'40' BY X'6D'.
           MOVE ANSWER TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
       DIFFERS.
           MOVE '-' TO A-MARKS (AT-1:1).
           ADD 1 TO AT-1.
