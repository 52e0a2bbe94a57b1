      * DFHMNGDS: statistics, monitoring.
       01  DFHMNGDS.
      * Length of the record
           03 MNGLEN    PIC S9(4) COMP.
      * Performance records
           03 MNGPR     PIC S9(8) COMP.
      * Records that could not be written
           03 MNGSMFE   PIC S9(8) COMP.
