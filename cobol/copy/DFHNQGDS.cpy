      * DFHNQGDS: statistics, enqueue.
       01  DFHNQGDS.
      * Length of the record
           03 NQGLEN    PIC S9(4) COMP.
      * Pools
           03 NQGNPOOL  PIC S9(8) COMP.
           03 NQGBODY   OCCURS 2.
      * EXECSTRN, ENQ with LENGTH; EXECADDR, without
             05 NQGPOOL   PIC X(8).
      * ENQ
             05 NQGTNQSI  PIC S9(8) COMP.
      * ENQ that waited, without those waiting now
             05 NQGTNQSW  PIC S9(8) COMP.
      * ENQ that wait
             05 NQGCNQSW  PIC S9(8) COMP.
      * ENQBUSY at once
             05 NQGTIRJB  PIC S9(8) COMP.
      * Purged while waiting
             05 NQGTWPOP  PIC S9(8) COMP.
      * DTIMOUT passed while waiting
             05 NQGTWPTO  PIC S9(8) COMP.
