       IDENTIFICATION DIVISION.
       PROGRAM-ID. DSWFILE.
      * One file call.
       DATA DIVISION.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           COPY DSWCALL.
       PROCEDURE DIVISION.
       MAIN-PARA.
           EVALUATE CALL-KIND
               WHEN 'R'
                   EXEC CICS READ FILE(CALL-FILE) INTO(CALL-RECORD)
                        RIDFLD(CALL-KEY) RESP(CALL-RESP)
                   END-EXEC
               WHEN 'U'
               WHEN 'V'
                   EXEC CICS READ FILE(CALL-FILE) INTO(CALL-RECORD)
                        RIDFLD(CALL-KEY) UPDATE RESP(CALL-RESP)
                   END-EXEC
               WHEN 'W'
                   EXEC CICS REWRITE FILE(CALL-FILE)
                        FROM(CALL-RECORD) RESP(CALL-RESP)
                   END-EXEC
               WHEN 'A'
                   EXEC CICS WRITE FILE(CALL-FILE)
                        FROM(CALL-RECORD) RIDFLD(CALL-KEY)
                        RESP(CALL-RESP)
                   END-EXEC
               WHEN 'D'
                   EXEC CICS DELETE FILE(CALL-FILE) RESP(CALL-RESP)
                   END-EXEC
           END-EVALUATE.
           EXEC CICS RETURN END-EXEC.
