       IDENTIFICATION DIVISION.
       PROGRAM-ID. TELLS.
      * Writes into its COMMAREA what began its task and where the
      * work came from:
      *   own facility, facility and transaction of the origin, its
      *   name, whether the task is its own origin, previous task.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  KIND       PIC S9(8) COMP.
       01  OD-KIND    PIC S9(8) COMP.
       01  OD-TASK    PIC S9(7) COMP-3.
       01  PT-COUNT   PIC S9(8) COMP.
       01  OD-TRAN    PIC X(4).
       01  PT-TRAN    PIC X(4).
       01  OD-NAME    PIC X(8).
       01  GRP        PIC X(28).
       01  KIND-IS      PIC X(9).
       01  LINES-OUT.
           05 O-KIND     PIC X(9).
           05 FILLER     PIC X VALUE SPACE.
           05 O-ODKIND   PIC X(9).
           05 FILLER     PIC X VALUE SPACE.
           05 O-ODTRAN   PIC X(4).
           05 FILLER     PIC X VALUE SPACE.
           05 O-ODNAME   PIC X(8).
           05 FILLER     PIC X VALUE SPACE.
           05 O-OWN      PIC X(5).
           05 FILLER     PIC X VALUE SPACE.
           05 O-PTTRAN   PIC X(4).
           05 FILLER     PIC X VALUE SPACE.
           05 O-PTCOUNT  PIC 9.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS INQUIRE ASSOCIATION(EIBTASKN)
                FACILTYPE(KIND) ODFACILTYPE(OD-KIND)
                ODTASKID(OD-TASK) ODTRANSID(OD-TRAN)
                ODFACILNAME(OD-NAME) PTCOUNT(PT-COUNT)
                PTTRANSID(PT-TRAN) TRNGRPID(GRP) END-EXEC.
           PERFORM NAME-KIND.
           MOVE KIND-IS TO O-KIND.
           MOVE OD-KIND TO KIND.
           PERFORM NAME-KIND.
           MOVE KIND-IS TO O-ODKIND.
           MOVE OD-TRAN TO O-ODTRAN.
           MOVE OD-NAME TO O-ODNAME.
           MOVE 'OTHER' TO O-OWN.
           IF OD-TASK = EIBTASKN MOVE 'OWN' TO O-OWN.
           MOVE PT-TRAN TO O-PTTRAN.
           MOVE PT-COUNT TO O-PTCOUNT.
           MOVE LINES-OUT TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
       NAME-KIND.
           EVALUATE KIND
             WHEN DFHVALUE(TERMINAL)  MOVE 'TERMINAL'  TO KIND-IS
             WHEN DFHVALUE(START)     MOVE 'START'     TO KIND-IS
             WHEN DFHVALUE(STARTTERM) MOVE 'STARTTERM' TO KIND-IS
             WHEN DFHVALUE(TRANDATA)  MOVE 'TRANDATA'  TO KIND-IS
             WHEN DFHVALUE(ASRUNTRAN) MOVE 'ASRUNTRAN' TO KIND-IS
             WHEN DFHVALUE(IPIC)      MOVE 'IPIC'      TO KIND-IS
             WHEN DFHVALUE(NONE)      MOVE 'NONE'      TO KIND-IS
             WHEN OTHER               MOVE '?'         TO KIND-IS
           END-EVALUATE.
