       IDENTIFICATION DIVISION.
       PROGRAM-ID. LOADS.
      * The address is kept in the CWA for tasks in any worker.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RATES-PTR POINTER.
       01  ENTRY-PTR POINTER.
       01  RATES-LEN PIC S9(8) COMP.
       01  SHOWN PIC 9(4).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-TEXT PIC X(60).
       01  CWA.
           05  FILLER PIC X(32).
           05  CWA-RATES POINTER.
       01  RATES.
           05  RATE OCCURS 3.
               10  R-NAME PIC X(3).
               10  R-VALUE PIC 9V99.
       PROCEDURE DIVISION.
           EXEC CICS ADDRESS CWA(ADDRESS OF CWA) END-EXEC.
           EVALUATE CA-TEXT
              WHEN 'LOAD'
                 EXEC CICS LOAD PROGRAM('RATES') SET(RATES-PTR)
                      ENTRY(ENTRY-PTR) FLENGTH(RATES-LEN) HOLD END-EXEC
                 IF ENTRY-PTR NOT = RATES-PTR
                    EXEC CICS ABEND ABCODE('ENTR') END-EXEC
                 END-IF
                 SET ADDRESS OF RATES TO RATES-PTR
                 SET CWA-RATES TO RATES-PTR
                 MOVE RATES-LEN TO SHOWN
                 STRING SHOWN R-NAME (2) DELIMITED BY SIZE
                    INTO CA-TEXT
              WHEN 'AGAIN'
                 EXEC CICS LOAD PROGRAM('RATES')
                      SET(ADDRESS OF RATES) END-EXEC
                 IF ADDRESS OF RATES NOT = CWA-RATES
                    EXEC CICS ABEND ABCODE('ADDR') END-EXEC
                 END-IF
                 MOVE RATES TO CA-TEXT
              WHEN 'BAD'
                 SET ADDRESS OF RATES TO NULL
                 MOVE RATES TO CA-TEXT
              WHEN OTHER
                 SET ADDRESS OF RATES TO CWA-RATES
                 MOVE RATES TO CA-TEXT
           END-EVALUATE.
           EXEC CICS RETURN END-EXEC.
