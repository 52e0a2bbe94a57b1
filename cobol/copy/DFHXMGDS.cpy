      * DFHXMGDS: statistics, transaction manager.
       01  DFHXMGDS.
      * Length of the record
           03 XMGLEN    PIC S9(4) COMP.
      * Transactions attached
           03 XMGNUM    PIC S9(8) COMP.
      * MXT
           03 XMGMXT    PIC S9(8) COMP.
      * Active
           03 XMGCAT    PIC S9(8) COMP.
      * Queued for MXT
           03 XMGCQT    PIC S9(8) COMP.
      * Times MXT was reached
           03 XMGTAMXT  PIC S9(8) COMP.
      * Most active
           03 XMGPAT    PIC S9(8) COMP.
      * Most queued for MXT
           03 XMGPQT    PIC S9(8) COMP.
      * Transactions that became active
           03 XMGTAT    PIC S9(8) COMP.
      * Transactions MXT delayed, without those queued now
           03 XMGTDT    PIC S9(8) COMP.
      * Transactions attached before the last reset
           03 XMGTNUM   PIC S9(8) COMP.
