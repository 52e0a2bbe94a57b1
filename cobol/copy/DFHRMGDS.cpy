      * DFHRMGDS: statistics, recovery manager.
       01  DFHRMGDS.
      * Length of the record
           03 RMGLEN    PIC S9(4) COMP.
      * Units of work with changes, committed
           03 RMGSYFWD  PIC S9(8) COMP.
      * Units of work with changes, backed out
           03 RMGSYBWD  PIC S9(8) COMP.
