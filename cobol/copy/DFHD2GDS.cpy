      * DFHD2GDS: statistics, connection to Db2.
       01  DFHD2GDS.
      * Length of the record
           03 D2G-LENGTH PIC S9(4) COMP.
      * TCBLIMIT
           03 D2G-TCB-LIMIT PIC S9(8) COMP.
      * Units of work that use SQL, pool and entries together
           03 D2G-TCB-CURRENT PIC S9(8) COMP.
      * Most of them since the start of the region
           03 D2G-TCB-HWM PIC S9(8) COMP.
      * Tasks that wait for a thread
           03 D2G-TCB-READYQ-CURRENT PIC S9(8) COMP.
      * THREADLIMIT of the pool
           03 D2G-POOL-THREAD-LIMIT PIC S9(8) COMP.
      * DB2CONN
           03 D2G-DB2CONN-NAME PIC X(8).
