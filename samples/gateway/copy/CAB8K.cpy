      *
      * Response from application CABASIC
      * 8kB of application data
           05 RECV-SIZE      PIC 9(8)  COMP-4.
           05 SEND-SIZE      PIC 9(8)  COMP-4.
           05 TASKID         PIC 9(8)  COMP-4.
           05 TRANID         PIC X(4)  .
           05 RS-SPARE       PIC X(16) .
           05 USER-DATA      PIC X(32) OCCURS 255 TIMES.
