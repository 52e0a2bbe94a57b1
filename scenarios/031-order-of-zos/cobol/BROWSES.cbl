      * Keys of a browse, one behind the other: F forward from
      * LOW-VALUES, B backward from HIGH-VALUES, G generic, E from a key
      * on (GTEQ), and the same of the path with P in front.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. BROWSES.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC              PIC X(10).
       01  RID              PIC X(2).
       01  FILE-NAME        PIC X(8) VALUE 'KEYS'.
       01  KIND             PIC X.
       01  FIRST-ONE        PIC X.
       01  RC               PIC S9(8) COMP.
       01  ANSWER           PIC X(60) VALUE SPACES.
       01  AT-1             PIC S9(4) COMP VALUE 1.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-FILE      PIC X.
           05  CA-KIND      PIC X.
           05  CA-KEY       PIC X(2).
           05  FILLER       PIC X(56).
       PROCEDURE DIVISION.
           IF CA-FILE = 'P' MOVE 'KEYPATH' TO FILE-NAME.
           MOVE CA-KIND TO KIND.
           MOVE CA-KEY TO RID.
           MOVE CA-KEY (1:1) TO FIRST-ONE.
           EVALUATE KIND
             WHEN 'F' MOVE LOW-VALUES TO RID
             WHEN 'B' MOVE HIGH-VALUES TO RID
           END-EVALUATE.
           IF KIND = 'G'
               EXEC CICS STARTBR FILE(FILE-NAME) RIDFLD(RID)
                    KEYLENGTH(1) GENERIC EQUAL RESP(RC) END-EXEC
           ELSE
               EXEC CICS STARTBR FILE(FILE-NAME) RIDFLD(RID) GTEQ
                    RESP(RC) END-EXEC
           END-IF.
           PERFORM NEXT-ONE UNTIL RC NOT = DFHRESP(NORMAL).
           MOVE ANSWER TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
       NEXT-ONE.
           IF KIND = 'B'
               EXEC CICS READPREV FILE(FILE-NAME) RIDFLD(RID) INTO(REC)
                    RESP(RC) END-EXEC
           ELSE
               EXEC CICS READNEXT FILE(FILE-NAME) RIDFLD(RID) INTO(REC)
                    RESP(RC) END-EXEC
           END-IF.
           IF KIND = 'G' AND RID (1:1) NOT = FIRST-ONE
               MOVE DFHRESP(ENDFILE) TO RC
           END-IF.
           IF RC = DFHRESP(NORMAL) OR RC = DFHRESP(DUPKEY)
               MOVE DFHRESP(NORMAL) TO RC
               IF RID NOT = REC (1:2) MOVE '??' TO RID END-IF
               INSPECT RID REPLACING ALL LOW-VALUES BY '<'
                                     ALL HIGH-VALUES BY '>'
               MOVE RID TO ANSWER (AT-1:2)
               ADD 2 TO AT-1
               MOVE REC (1:2) TO RID
           END-IF.
