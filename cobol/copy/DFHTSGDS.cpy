      * DFHTSGDS: statistics, temporary storage.
       01  DFHTSGDS.
      * Length of the record
           03 TSGLEN    PIC S9(4) COMP.
      * WRITEQ TS, main storage
           03 TSGSTA5F  PIC S9(8) COMP.
      * READQ TS, main storage
           03 TSGNMG    PIC S9(8) COMP.
      * WRITEQ TS, auxiliary storage
           03 TSGSTA7F  PIC S9(8) COMP.
      * READQ TS, auxiliary storage
           03 TSGNAG    PIC S9(8) COMP.
      * Queues made
           03 TSGSTA3F  PIC S9(8) COMP.
