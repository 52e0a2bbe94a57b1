      * DFHSMSDS: statistics, storage manager.
       01  DFHSMSDS.
      * Length of the record
           03 SMSLEN    PIC S9(4) COMP.
      * EDSALIM, bytes
           03 SMSEDSALIMIT PIC S9(8) COMP.
      * Shared storage in use, bytes
           03 SMSEDSATOTAL PIC S9(8) COMP.
