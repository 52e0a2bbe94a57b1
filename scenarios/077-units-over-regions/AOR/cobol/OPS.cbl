       IDENTIFICATION DIVISION.
       PROGRAM-ID. OPS.
      * One thing with a resource that may be of another region:
      * what, name, key, data; back come RESP, RESP2 and data.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RC PIC S9(8) COMP VALUE 0.
       01  RC2 PIC S9(8) COMP VALUE 0.
       01  TOK PIC S9(8) COMP VALUE 0.
       01  LEN PIC S9(4) COMP VALUE 0.
       01  N PIC S9(4) COMP VALUE 0.
       01  SHOWN.
           05 SHOWN-RESP PIC 999.
           05 FILLER PIC X VALUE SPACE.
           05 SHOWN-RESP2 PIC 999.
           05 FILLER PIC X VALUE SPACE.
           05 SHOWN-DATA PIC X(40) VALUE SPACES.
       01  REC.
           05 REC-KEY PIC X(4).
           05 REC-DATA PIC X(16).
       01  KEY-F PIC X(4).
       01  LINKED PIC X(20).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-WHAT PIC X(8).
           05 CA-NAME PIC X(8).
           05 CA-KEY PIC X(4).
           05 CA-DATA PIC X(16).
           05 FILLER PIC X(24).
       01  BUF PIC X(20).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE CA-KEY TO KEY-F REC-KEY.
           MOVE CA-DATA TO REC-DATA.
           EVALUATE CA-WHAT
             WHEN 'READ'
               PERFORM READ-IT
             WHEN 'READSET'
               EXEC CICS READ FILE(CA-NAME) SET(ADDRESS OF BUF)
                 RIDFLD(KEY-F) LENGTH(LEN)
                 RESP(RC) RESP2(RC2) END-EXEC
               IF RC = 0 MOVE BUF TO SHOWN-DATA END-IF
             WHEN 'SHORT'
               MOVE 10 TO LEN
               EXEC CICS READ FILE(CA-NAME) INTO(REC) LENGTH(LEN)
                 RIDFLD(KEY-F) RESP(RC) RESP2(RC2) END-EXEC
               MOVE REC TO SHOWN-DATA
               MOVE LEN TO SHOWN-DATA (25:4)
             WHEN 'WRITE'
               PERFORM WRITE-IT
             WHEN 'UPDATE'
               PERFORM READ-UPDATE
               IF RC = 0
                 MOVE CA-DATA TO REC-DATA
                 EXEC CICS REWRITE FILE(CA-NAME) FROM(REC)
                   RESP(RC) RESP2(RC2) END-EXEC
               END-IF
             WHEN 'TOKENS'
               EXEC CICS READ FILE(CA-NAME) INTO(REC) RIDFLD(KEY-F)
                 UPDATE TOKEN(TOK) RESP(RC) RESP2(RC2) END-EXEC
               IF RC = 0
                 MOVE CA-DATA TO REC-DATA
                 EXEC CICS REWRITE FILE(CA-NAME) FROM(REC)
                   TOKEN(TOK) RESP(RC) RESP2(RC2) END-EXEC
               END-IF
             WHEN 'REWRITE'
               EXEC CICS REWRITE FILE(CA-NAME) FROM(REC)
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'UNLOCK'
               PERFORM READ-UPDATE
               EXEC CICS UNLOCK FILE(CA-NAME)
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'DELETE'
               EXEC CICS DELETE FILE(CA-NAME) RIDFLD(KEY-F)
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'DELGEN'
               EXEC CICS DELETE FILE(CA-NAME) RIDFLD(KEY-F)
                 KEYLENGTH(2) GENERIC NUMREC(N)
                 RESP(RC) RESP2(RC2) END-EXEC
               MOVE N TO SHOWN-DATA (1:4)
             WHEN 'BROWSE'
               PERFORM BROWSE-IT
             WHEN 'UNDONE'
               PERFORM WRITE-IT
               EXEC CICS SYNCPOINT ROLLBACK END-EXEC
             WHEN 'ABEND'
               PERFORM WRITE-IT
               EXEC CICS ABEND ABCODE('OOPS') NODUMP END-EXEC
             WHEN 'TSW'
               EXEC CICS WRITEQ TS QUEUE(CA-NAME) FROM(REC)
                 ITEM(N) RESP(RC) RESP2(RC2) END-EXEC
               MOVE N TO SHOWN-DATA (1:4)
             WHEN 'TSR'
               MOVE 20 TO LEN
               EXEC CICS READQ TS QUEUE(CA-NAME) INTO(REC)
                 LENGTH(LEN) ITEM(1) NUMITEMS(N)
                 RESP(RC) RESP2(RC2) END-EXEC
               IF RC = 0 MOVE REC TO SHOWN-DATA END-IF
             WHEN 'TSD'
               EXEC CICS DELETEQ TS QUEUE(CA-NAME)
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'TDW'
               EXEC CICS WRITEQ TD QUEUE(CA-NAME (1:4)) FROM(REC)
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'TDR'
               MOVE 20 TO LEN
               EXEC CICS READQ TD QUEUE(CA-NAME (1:4)) INTO(REC)
                 LENGTH(LEN) RESP(RC) RESP2(RC2) END-EXEC
               IF RC = 0 MOVE REC TO SHOWN-DATA END-IF
             WHEN 'TDD'
               EXEC CICS DELETEQ TD QUEUE(CA-NAME (1:4))
                 RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'START'
               EXEC CICS START TRANSID(CA-NAME (1:4)) FROM(REC)
                 RESP(RC) RESP2(RC2) END-EXEC
               IF EIBREQID NOT = LOW-VALUES
                 MOVE 'REQID' TO SHOWN-DATA
               END-IF
             WHEN 'LINK'
               MOVE REC TO LINKED
               EXEC CICS LINK PROGRAM(CA-NAME) COMMAREA(LINKED)
                 RESP(RC) RESP2(RC2) END-EXEC
               MOVE LINKED TO SHOWN-DATA
             WHEN 'LINKSYNC'
               MOVE REC TO LINKED
               EXEC CICS LINK PROGRAM(CA-NAME) COMMAREA(LINKED)
                 SYNCONRETURN RESP(RC) RESP2(RC2) END-EXEC
               MOVE LINKED TO SHOWN-DATA
             WHEN 'LINKBACK'
               MOVE REC TO LINKED
               EXEC CICS LINK PROGRAM(CA-NAME) COMMAREA(LINKED)
                 SYNCONRETURN RESP(RC) RESP2(RC2) END-EXEC
               EXEC CICS SYNCPOINT ROLLBACK END-EXEC
               MOVE LINKED TO SHOWN-DATA
             WHEN 'LINK14'
               PERFORM READ-UPDATE
               EXEC CICS LINK PROGRAM('SERVER') COMMAREA(LINKED)
                 SYNCONRETURN RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'CHANNEL'
               PERFORM CHANNEL-IT
           END-EVALUATE.
           MOVE RC TO SHOWN-RESP.
           MOVE RC2 TO SHOWN-RESP2.
           MOVE SPACES TO DFHCOMMAREA.
           MOVE SHOWN TO DFHCOMMAREA.
           GOBACK.
       READ-IT.
           EXEC CICS READ FILE(CA-NAME) INTO(REC) RIDFLD(KEY-F)
             RESP(RC) RESP2(RC2) END-EXEC.
           IF RC = 0 MOVE REC TO SHOWN-DATA END-IF.
       READ-UPDATE.
           EXEC CICS READ FILE(CA-NAME) INTO(REC) RIDFLD(KEY-F)
             UPDATE RESP(RC) RESP2(RC2) END-EXEC.
       WRITE-IT.
           EXEC CICS WRITE FILE(CA-NAME) FROM(REC) RIDFLD(KEY-F)
             RESP(RC) RESP2(RC2) END-EXEC.
       BROWSE-IT.
           EXEC CICS STARTBR FILE(CA-NAME) RIDFLD(KEY-F) GTEQ
             RESP(RC) RESP2(RC2) END-EXEC.
           MOVE 1 TO N.
           PERFORM UNTIL RC NOT = 0 OR N > 30
             EXEC CICS READNEXT FILE(CA-NAME) INTO(REC)
               RIDFLD(KEY-F) RESP(RC) RESP2(RC2) END-EXEC
             IF RC = 0
               MOVE KEY-F TO SHOWN-DATA (N:4)
               ADD 5 TO N
             END-IF
           END-PERFORM.
           EXEC CICS ENDBR FILE(CA-NAME) NOHANDLE END-EXEC.
       CHANNEL-IT.
           EXEC CICS PUT CONTAINER('ASKED') CHANNEL('OPS')
             FROM(REC) END-EXEC.
           EXEC CICS LINK PROGRAM(CA-NAME) CHANNEL('OPS')
             RESP(RC) RESP2(RC2) END-EXEC.
           MOVE 20 TO N.
           EXEC CICS GET CONTAINER('TOLD') CHANNEL('OPS')
             INTO(LINKED) NOHANDLE END-EXEC.
           MOVE LINKED TO SHOWN-DATA.
