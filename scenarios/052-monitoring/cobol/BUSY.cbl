       IDENTIFICATION DIVISION.
       PROGRAM-ID. BUSY.
      * Does something of each kind a known number of times.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC    PIC X(8).
       01  K      PIC X(4).
       01  P      POINTER.
       01  R      PIC S9(8) COMP.
       01  L      PIC S9(4) COMP.
       01  I      PIC S9(4) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 3
               EVALUATE I
                   WHEN 1 MOVE 'K001ONE ' TO REC
                   WHEN 2 MOVE 'K002TWO ' TO REC
                   WHEN 3 MOVE 'K003TRI ' TO REC
               END-EVALUATE
               MOVE REC(1:4) TO K
               EXEC CICS WRITE FILE('ITEMS') FROM(REC) RIDFLD(K)
                    END-EXEC
           END-PERFORM.
           MOVE 'K002' TO K.
           EXEC CICS READ FILE('ITEMS') INTO(REC) RIDFLD(K) END-EXEC.
           EXEC CICS READ FILE('ITEMS') INTO(REC) RIDFLD(K) UPDATE
                END-EXEC.
           EXEC CICS REWRITE FILE('ITEMS') FROM(REC) END-EXEC.
           EXEC CICS READ FILE('ITEMS') INTO(REC) RIDFLD(K) UPDATE
                END-EXEC.
           EXEC CICS UNLOCK FILE('ITEMS') END-EXEC.
           MOVE 'K001' TO K.
           EXEC CICS STARTBR FILE('ITEMS') RIDFLD(K) END-EXEC.
           EXEC CICS READNEXT FILE('ITEMS') INTO(REC) RIDFLD(K)
                END-EXEC.
           EXEC CICS READNEXT FILE('ITEMS') INTO(REC) RIDFLD(K)
                END-EXEC.
           EXEC CICS READPREV FILE('ITEMS') INTO(REC) RIDFLD(K)
                END-EXEC.
           EXEC CICS ENDBR FILE('ITEMS') END-EXEC.
           MOVE 'K003' TO K.
           EXEC CICS DELETE FILE('ITEMS') RIDFLD(K) END-EXEC.
           MOVE 'NONE' TO K.
           EXEC CICS READ FILE('ITEMS') INTO(REC) RIDFLD(K) RESP(R)
                END-EXEC.
           EXEC CICS WRITEQ TS QUEUE('MAINQ') FROM(REC) MAIN END-EXEC.
      * It stays in main storage.
           EXEC CICS WRITEQ TS QUEUE('MAINQ') FROM(REC) END-EXEC.
           EXEC CICS WRITEQ TS QUEUE('AUXQ') FROM(REC) END-EXEC.
           MOVE 8 TO L.
           MOVE 1 TO I.
           EXEC CICS READQ TS QUEUE('MAINQ') INTO(REC) LENGTH(L) ITEM(I)
                END-EXEC.
           EXEC CICS DELETEQ TS QUEUE('MAINQ') END-EXEC.
           EXEC CICS WRITEQ TD QUEUE('OUTQ') FROM(REC) LENGTH(8)
                END-EXEC.
           EXEC CICS WRITEQ TD QUEUE('OUTQ') FROM(REC) LENGTH(8)
                END-EXEC.
           MOVE 8 TO L.
           EXEC CICS READQ TD QUEUE('OUTQ') INTO(REC) LENGTH(L)
                END-EXEC.
           EXEC CICS DELETEQ TD QUEUE('OUTQ') END-EXEC.
           EXEC CICS LINK PROGRAM('LEAF') END-EXEC.
           EXEC CICS LINK PROGRAM('LEAF') END-EXEC.
           EXEC CICS GETMAIN SET(P) FLENGTH(100) END-EXEC.
           EXEC CICS PUT CONTAINER('C1') CHANNEL('CH') FROM(REC)
                END-EXEC.
           EXEC CICS GET CONTAINER('C1') CHANNEL('CH') INTO(REC)
                END-EXEC.
           EXEC CICS DELAY MILLISECS(20) END-EXEC.
           EXEC CICS SYNCPOINT END-EXEC.
           MOVE 'DONE' TO CA-TEXT.
           EXEC CICS RETURN END-EXEC.
