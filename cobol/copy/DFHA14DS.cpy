      * DFHA14DS: statistics, connection to another region.
       01  DFHA14DS.
      * Length of the record
           03 A14LEN    PIC S9(4) COMP.
      * Connection
           03 A14CNTN   PIC X(4).
      * APPLID of the other region
           03 A14ESID   PIC X(8).
      * Sessions wanted
           03 A14ESTAS  PIC S9(8) COMP.
      * Tasks that wait for a session
           03 A14ESTAQ  PIC S9(8) COMP.
      * Not got: released, out of service, not reached
           03 A14ESTAF  PIC S9(8) COMP.
      * Not got: all are in use
           03 A14ESTAO  PIC S9(8) COMP.
