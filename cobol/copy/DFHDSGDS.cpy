      * DFHDSGDS: statistics, dispatcher.
       01  DFHDSGDS.
      * Length of the record
           03 DSGLEN    PIC S9(4) COMP.
      * Tasks
           03 DSGCNT    PIC S9(8) COMP.
      * Most tasks
           03 DSGPNT    PIC S9(8) COMP.
      * Pools
           03 DSGPSIZE  PIC S9(8) COMP.
           03 DSGTCBP   OCCURS 1.
      * Pool: OPEN, the worker processes
             05 DSGTCBPN  PIC X(4).
      * Most workers: MXT
             05 DSGMXTCB  PIC S9(8) COMP.
      * Workers
             05 DSGCNUAT  PIC S9(8) COMP.
      * Most workers
             05 DSGPNUAT  PIC S9(8) COMP.
      * Workers with a task
             05 DSGCNUUS  PIC S9(8) COMP.
      * Most workers with a task
             05 DSGPNUUS  PIC S9(8) COMP.
