      * DFHTQRDS: statistics, transient data queue.
       01  DFHTQRDS.
      * Length of the record
           03 TQRLEN    PIC S9(4) COMP.
      * Queue
           03 TQRQID    PIC X(4).
      * WRITEQ TD
           03 TQRWRITE  PIC S9(8) COMP.
      * READQ TD
           03 TQRREAD   PIC S9(8) COMP.
      * DELETEQ TD
           03 TQRDELET  PIC S9(8) COMP.
      * Trigger level
           03 TQRTRIGL  PIC S9(8) COMP.
      * Transaction of its trigger
           03 TQRATRAN  PIC X(4).
      * Tasks started by its trigger
           03 TQRTRIGN  PIC S9(8) COMP.
      * Records in it
           03 TQRCNITM  PIC S9(8) COMP.
