       IDENTIFICATION DIVISION.
       PROGRAM-ID. CODES.
      * A command that fails, and its EIBFN and EIBRCODE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  R PIC S9(8) COMP.
       01  RBA-KEY PIC S9(8) COMP VALUE 0.
       01  BIG-KEY PIC X(8) VALUE LOW-VALUES.
       01  REC PIC X(20).
       01  L PIC S9(4) COMP VALUE 20.
       01  NUM PIC S9(8) COMP.
       01  E-RESP PIC 9(4).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 WHICH PIC X(8).
           05 SAID PIC X(52).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EVALUATE WHICH
             WHEN 'READRBA'
               EXEC CICS READ FILE('CUST') INTO(REC) LENGTH(L)
                    RIDFLD(RBA-KEY) RBA RESP(R) END-EXEC
             WHEN 'BROWSE'
               EXEC CICS STARTBR FILE('CUST') RIDFLD(RBA-KEY) RBA
                    RESP(R) END-EXEC
             WHEN 'DELETE'
               EXEC CICS DELETE FILE('CUST') RIDFLD(RBA-KEY) RBA
                    RESP(R) END-EXEC
             WHEN 'XRBA'
               EXEC CICS READ FILE('CUST') INTO(REC) LENGTH(L)
                    RIDFLD(BIG-KEY) XRBA RESP(R) END-EXEC
             WHEN 'NOFILE'
               EXEC CICS READ FILE('NONE') INTO(REC) LENGTH(L)
                    RIDFLD(REC) RESP(R) END-EXEC
             WHEN 'NOTFND'
               EXEC CICS READ FILE('CUST') INTO(REC) LENGTH(L)
                    RIDFLD(REC) RESP(R) END-EXEC
             WHEN 'NOQUEUE'
               EXEC CICS READQ TS QUEUE('NONE') INTO(REC) LENGTH(L)
                    RESP(R) END-EXEC
             WHEN 'LINK'
               EXEC CICS LINK PROGRAM('NONE') RESP(R) END-EXEC
             WHEN 'INQFILE'
               EXEC CICS INQUIRE FILE('NONE') OPENSTATUS(NUM)
                    RESP(R) END-EXEC
             WHEN 'INQPGM'
               EXEC CICS INQUIRE PROGRAM('NONE') RESCOUNT(NUM)
                    RESP(R) END-EXEC
             WHEN 'SETTRAN'
               EXEC CICS SET TRANSACTION('NONE') ENABLED
                    RESP(R) END-EXEC
             WHEN 'DISCARD'
               EXEC CICS DISCARD FILE('NONE') RESP(R) END-EXEC
             WHEN 'NEXT'
               EXEC CICS INQUIRE FILE NEXT RESP(R) END-EXEC
             WHEN 'SENDMAP'
               EXEC CICS SEND MAP('NONE') MAPSET('NONE')
                    RESP(R) END-EXEC
             WHEN 'GOOD'
               EXEC CICS ASKTIME RESP(R) END-EXEC
           END-EVALUATE.
           MOVE SPACES TO SAID.
           MOVE R TO E-RESP.
           STRING E-RESP ' ' FUNCTION HEX-OF(EIBFN) ' '
             FUNCTION HEX-OF(EIBRCODE) DELIMITED BY SIZE INTO SAID.
           EXEC CICS RETURN END-EXEC.
