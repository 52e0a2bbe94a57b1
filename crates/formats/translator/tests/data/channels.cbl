       PROCESS CICS,NODYNAM,NSYMBOL(NATIONAL),TRUNC(BIN)
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CHANNELS
       DATA DIVISION.
       LOCAL-STORAGE SECTION.
       01  LS-CHANNEL           PIC X(16) VALUE 'MYCHANNEL'.
       01  LS-DATA              PIC X(100).
       01  LS-LEN               PIC S9(8) COMP-5.
       PROCEDURE DIVISION.
           Exec Cics Put Container('INPUT') Channel(LS-CHANNEL)
                From(LS-DATA) Flength(Length of LS-DATA) Char
           End-Exec
           exec cics get container('OUTPUT') channel(LS-CHANNEL)
                into(LS-DATA) flength(LS-LEN) nohandle end-exec
           EXEC CICS LINK PROGRAM('CHANSUB') CHANNEL(LS-CHANNEL)
           END-EXEC EXEC CICS RETURN END-EXEC.
