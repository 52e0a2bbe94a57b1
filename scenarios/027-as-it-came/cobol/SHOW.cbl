       IDENTIFICATION DIVISION.
       PROGRAM-ID. SHOW.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY DFHAID.
       COPY DFHBMSCA.
       COPY PAYA.
       COPY ORDSET.
       01  WS-RESP    PIC S9(8) COMP.
       01  RECORD-1.
           05  REC-KEY   PIC X(4) VALUE '0002'.
           05  REC-TEXT  PIC X(16).
       LINKAGE SECTION.
       01  DFHCOMMAREA   PIC X.
       PROCEDURE DIVISION.
           IF EIBCALEN = 0
               PERFORM SHOW-MAP
           ELSE
               PERFORM NAME-KEY
           END-IF.
           GOBACK.
       SHOW-MAP.
           MOVE LOW-VALUES TO PAYMAPO ORDMAPO.
           EVALUATE EIBTRNID
               WHEN 'PAYA'
                   EXEC CICS SEND MAP('PAYMAP') MAPSET('PAYA')
                       ERASE END-EXEC
               WHEN 'PAYB'
                   EXEC CICS SEND MAP('PAYMAP') MAPSET('PAYB')
                       FROM(PAYMAPO) ERASE END-EXEC
               WHEN 'ORDR'
                   EXEC CICS SEND MAP('ORDMAP') MAPSET('ORDSET')
                       ERASE END-EXEC
               WHEN 'ORDL'
                   EXEC CICS SEND MAP('ORDMAP') MAPSET('ORDLABEL')
                       FROM(ORDMAPO) ERASE END-EXEC
               WHEN OTHER
                   EXEC CICS READ FILE('ORDERS') INTO(RECORD-1)
                       RIDFLD(REC-KEY) RESP(WS-RESP) END-EXEC
                   EXEC CICS SEND TEXT FROM(RECORD-1) LENGTH(20)
                       ERASE FREEKB END-EXEC
                   EXEC CICS RETURN END-EXEC
           END-EVALUATE.
           EXEC CICS RETURN TRANSID(EIBTRNID) COMMAREA('X') LENGTH(1)
               END-EXEC.
       NAME-KEY.
           EVALUATE EIBAID
               WHEN DFHPF3
                   EXEC CICS SEND TEXT FROM('PF3') LENGTH(3)
                       ERASE FREEKB END-EXEC
               WHEN DFHMINE
                   EXEC CICS SEND TEXT FROM('MINE') LENGTH(4)
                       ERASE FREEKB END-EXEC
               WHEN OTHER
                   EXEC CICS SEND TEXT FROM('OTHER') LENGTH(5)
                       ERASE FREEKB END-EXEC
           END-EVALUATE.
           EXEC CICS RETURN END-EXEC.
