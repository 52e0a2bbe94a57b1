      * SQLDA: the SQL descriptor area, 16 bytes and 44 for each SQLVAR.
      * Its numbers are COMP: host variables lie in storage as COMP.
       01  SQLDA.
           05  SQLDAID     PIC X(8).
           05  SQLDABC     PIC S9(9) COMP.
           05  SQLN        PIC S9(4) COMP.
           05  SQLD        PIC S9(4) COMP.
           05  SQLVAR OCCURS 0 TO 750 TIMES DEPENDING ON SQLN.
               10  SQLVAR1.
                   15  SQLTYPE      PIC S9(4) COMP.
                   15  SQLLEN       PIC S9(4) COMP.
                   15  FILLER REDEFINES SQLLEN.
                       20  SQLPRECISION PIC X(1).
                       20  SQLSCALE     PIC X(1).
                   15  SQLDATA      POINTER.
                   15  SQLIND       POINTER.
                   15  SQLNAME.
                       49  SQLNAMEL PIC S9(4) COMP.
                       49  SQLNAMEC PIC X(30).
