      * DFHD2RDS: statistics, entry of Db2.
       01  DFHD2RDS.
      * Length of the record
           03 D2RLEN    PIC S9(4) COMP.
      * DB2ENTRY
           03 D2R-DB2ENTRY-NAME PIC X(8).
      * PLAN
           03 D2R-PLAN-NAME PIC X(8).
      * PLANEXITNAME
           03 D2R-PLANEXIT-NAME PIC X(8).
      * AUTHID
           03 D2R-AUTHID PIC X(8).
      * Tasks that waited, or had a thread of the pool instead
           03 D2R-THREAD-WAIT-OR-OVERFL PIC S9(8) COMP.
      * THREADLIMIT
           03 D2R-THREAD-LIMIT PIC S9(8) COMP.
      * Units of work that use SQL by its threads
           03 D2R-THREAD-CURRENT PIC S9(8) COMP.
      * Most of them since the start of the region
           03 D2R-THREAD-HWM PIC S9(8) COMP.
