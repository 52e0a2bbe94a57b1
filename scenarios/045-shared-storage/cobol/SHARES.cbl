       IDENTIFICATION DIVISION.
       PROGRAM-ID. SHARES.
      * Stores in storage that programs share, and beside it.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  AT-PTR POINTER.
       01  AT-NUM REDEFINES AT-PTR PIC S9(9) COMP.
       01  N PIC S9(9) COMP.
       01  L PIC S9(4) COMP VALUE 400.
       01  LONG-TEXT PIC X(400) VALUE ALL 'LONG'.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05  CA-WHAT PIC X(6).
           05  CA-N PIC S9(9) SIGN LEADING SEPARATE.
           05  FILLER PIC X(44).
       01  CWA.
           05  CWA-BYTE PIC X OCCURS 300.
       01  CWA-AND-MORE PIC X(400).
       01  AN-AREA.
           05  AREA-BYTE PIC X OCCURS 100.
       01  ANY-BYTE PIC X.
       PROCEDURE DIVISION.
           EXEC CICS ADDRESS CWA(ADDRESS OF CWA) END-EXEC.
           MOVE CA-N TO N.
           EVALUATE CA-WHAT
              WHEN 'STORE'
                 MOVE 'Z' TO CWA-BYTE (N)
                 MOVE 'STORED' TO DFHCOMMAREA
              WHEN 'SHOW'
                 MOVE CWA-BYTE (N) TO DFHCOMMAREA
              WHEN 'GET'
                 EXEC CICS GETMAIN SHARED SET(ADDRESS OF AN-AREA)
                      FLENGTH(100) INITIMG('B') END-EXEC
                 SET AT-PTR TO ADDRESS OF AN-AREA
                 MOVE AT-NUM TO CA-N
              WHEN 'LOOK'
                 MOVE N TO AT-NUM
                 SET ADDRESS OF AN-AREA TO AT-PTR
                 MOVE AN-AREA TO DFHCOMMAREA
              WHEN 'AT'
                 MOVE N TO AT-NUM
                 SET ADDRESS OF ANY-BYTE TO AT-PTR
                 MOVE 'Z' TO ANY-BYTE
                 MOVE 'STORED' TO DFHCOMMAREA
              WHEN 'READQ'
                 SET ADDRESS OF CWA-AND-MORE TO ADDRESS OF CWA
                 EXEC CICS WRITEQ TS QUEUE('LONG') FROM(LONG-TEXT)
                      LENGTH(L) END-EXEC
                 EXEC CICS READQ TS QUEUE('LONG') INTO(CWA-AND-MORE)
                      LENGTH(L) ITEM(1) END-EXEC
                 MOVE 'READ' TO DFHCOMMAREA
           END-EVALUATE.
           EXEC CICS RETURN END-EXEC.
