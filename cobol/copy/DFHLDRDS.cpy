      * DFHLDRDS: statistics, program.
       01  DFHLDRDS.
      * Length of the record
           03 LDRLEN    PIC S9(4) COMP.
      * Program
           03 LDRPNAME  PIC X(8).
      * Times used
           03 LDRTU     PIC S9(8) COMP.
