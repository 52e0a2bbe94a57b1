      * Does to the files what the COMMAREA says: an operation, a key, a name.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. BANK.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC.
           05 REC-KEY PIC X(4).
           05 REC-NAME PIC X(10).
           05 FILLER PIC X(16) VALUE SPACES.
       01  OLD-REC PIC X(30).
       01  RC PIC S9(8) COMP.
       01  RBA PIC S9(8) COMP.
       01  N PIC 9(4) VALUE 0.
       01  SHOWN-N PIC 9(4).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 OP PIC X(8).
           05 KEY-F PIC X(4).
           05 FILLER PIC X.
           05 NAME-F PIC X(10).
           05 FILLER PIC X(37).
       PROCEDURE DIVISION.
           MOVE KEY-F TO REC-KEY
           MOVE NAME-F TO REC-NAME
           EVALUATE OP
             WHEN 'ADD'
               EXEC CICS WRITE FILE('CUSTOMER') FROM(REC) RIDFLD(KEY-F)
                 RESP(RC) END-EXEC
               EXEC CICS WRITE FILE('HISTORY') FROM(REC) RIDFLD(RBA)
                 RBA END-EXEC
               EXEC CICS WRITE FILE('NOTES') FROM(REC) RIDFLD(KEY-F)
                 END-EXEC
             WHEN 'CHANGE'
               EXEC CICS READ FILE('CUSTOMER') INTO(OLD-REC)
                 RIDFLD(KEY-F) UPDATE RESP(RC) END-EXEC
               EXEC CICS REWRITE FILE('CUSTOMER') FROM(REC) END-EXEC
             WHEN 'DELETE'
               EXEC CICS DELETE FILE('CUSTOMER') RIDFLD(KEY-F)
                 RESP(RC) END-EXEC
             WHEN 'GENERIC'
               EXEC CICS DELETE FILE('CUSTOMER') RIDFLD(KEY-F)
                 KEYLENGTH(2) GENERIC RESP(RC) END-EXEC
             WHEN 'BYNAME'
               EXEC CICS DELETE FILE('BYNAME') RIDFLD(NAME-F)
                 RESP(RC) END-EXEC
             WHEN 'UNDONE'
               EXEC CICS WRITE FILE('CUSTOMER') FROM(REC) RIDFLD(KEY-F)
                 RESP(RC) END-EXEC
               EXEC CICS SYNCPOINT ROLLBACK END-EXEC
             WHEN 'NAME'
               EXEC CICS READ FILE('BYNAME') INTO(REC) RIDFLD(NAME-F)
                 RESP(RC) END-EXEC
               MOVE REC TO DFHCOMMAREA
               IF RC NOT = 0 MOVE 'NONE' TO DFHCOMMAREA END-IF
               EXEC CICS RETURN END-EXEC
             WHEN 'GET'
               EXEC CICS READ FILE('CUSTOMER') INTO(REC) RIDFLD(KEY-F)
                 RESP(RC) END-EXEC
               MOVE REC TO DFHCOMMAREA
               IF RC NOT = 0 MOVE 'NONE' TO DFHCOMMAREA END-IF
               EXEC CICS RETURN END-EXEC
             WHEN 'COUNT'
               PERFORM COUNT-ALL
               EXEC CICS RETURN END-EXEC
           END-EVALUATE
           MOVE 'OK' TO DFHCOMMAREA
           IF RC NOT = 0
             MOVE RC TO SHOWN-N
             STRING 'RESP ' SHOWN-N DELIMITED BY SIZE INTO DFHCOMMAREA
           END-IF
           EXEC CICS RETURN END-EXEC.
       COUNT-ALL.
           MOVE SPACES TO DFHCOMMAREA
           MOVE LOW-VALUES TO REC-KEY
           EXEC CICS STARTBR FILE('CUSTOMER') RIDFLD(REC-KEY) GTEQ
             RESP(RC) END-EXEC
           PERFORM UNTIL RC NOT = 0
             EXEC CICS READNEXT FILE('CUSTOMER') INTO(REC)
               RIDFLD(REC-KEY) RESP(RC) END-EXEC
             IF RC = 0 ADD 1 TO N END-IF
           END-PERFORM
           MOVE N TO SHOWN-N
           MOVE SHOWN-N TO OP
           MOVE 0 TO N
           MOVE 0 TO RBA
           EXEC CICS STARTBR FILE('HISTORY') RIDFLD(RBA) RBA GTEQ
             RESP(RC) END-EXEC
           PERFORM UNTIL RC NOT = 0
             EXEC CICS READNEXT FILE('HISTORY') INTO(REC) RIDFLD(RBA)
               RBA RESP(RC) END-EXEC
             IF RC = 0 ADD 1 TO N END-IF
           END-PERFORM
           MOVE N TO KEY-F
           MOVE LOW-VALUES TO REC-KEY
           MOVE 0 TO N
           EXEC CICS STARTBR FILE('NOTES') RIDFLD(REC-KEY) GTEQ
             RESP(RC) END-EXEC
           PERFORM UNTIL RC NOT = 0
             EXEC CICS READNEXT FILE('NOTES') INTO(REC)
               RIDFLD(REC-KEY) RESP(RC) END-EXEC
             IF RC = 0 ADD 1 TO N END-IF
           END-PERFORM
           MOVE N TO SHOWN-N
           MOVE SHOWN-N TO NAME-F.
