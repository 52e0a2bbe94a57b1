       IDENTIFICATION DIVISION.
       PROGRAM-ID. SCREENS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY DFHAID.
       COPY DFHBMSCA.
       01  MAP1I.
           05  FILLER           PIC X(12).
           05  NAMEL            PIC S9(4) COMP.
           05  NAMEF            PIC X.
           05  NAMEI            PIC X(20).
       01  MAP1O REDEFINES MAP1I.
           05  FILLER           PIC X(15).
           05  NAMEO            PIC X(20).
       PROCEDURE DIVISION.
           EXEC CICS HANDLE AID PF3(LEAVE-IT) CLEAR(LEAVE-IT) END-EXEC
           IF EIBCALEN = 0 OR EIBAID = DFHCLEAR
              MOVE DFHBMBRY TO NAMEF
              MOVE -1 TO NAMEL
              EXEC CICS SEND MAP('MAP1') MAPSET('SET1') FROM(MAP1O)
                   CURSOR ERASE FREEKB END-EXEC
           ELSE
              EXEC CICS RECEIVE MAP('MAP1') MAPSET('SET1')
                   INTO(MAP1I) END-EXEC
           END-IF.
           EXEC CICS RETURN TRANSID(EIBTRNID) END-EXEC.
       LEAVE-IT.
           EXEC CICS SEND TEXT FROM('BYE') LENGTH(3) ERASE END-EXEC
           EXEC CICS RETURN END-EXEC.
