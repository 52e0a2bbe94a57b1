      * DFHXMCDS: statistics, transaction class.
       01  DFHXMCDS.
      * Length of the record
           03 XMCLEN    PIC S9(4) COMP.
      * Class
           03 XMCTCL    PIC X(8).
      * Attach requests
           03 XMCTAT    PIC S9(8) COMP.
      * Purged at once: threshold
           03 XMCPI     PIC S9(8) COMP.
      * Queued, without those queued now
           03 XMCTQ     PIC S9(8) COMP.
      * Accepted at once
           03 XMCAI     PIC S9(8) COMP.
      * Accepted after queuing
           03 XMCAAQ    PIC S9(8) COMP.
      * MAXACTIVE
           03 XMCMXT    PIC S9(8) COMP.
      * PURGETHRESH
           03 XMCTH     PIC S9(8) COMP.
      * Most active
           03 XMCPAT    PIC S9(8) COMP.
      * Most queued
           03 XMCPQT    PIC S9(8) COMP.
      * Times MAXACTIVE was reached
           03 XMCTAMA   PIC S9(8) COMP.
      * Times PURGETHRESH was reached
           03 XMCTAPT   PIC S9(8) COMP.
      * Active
           03 XMCCAT    PIC S9(8) COMP.
      * Queued
           03 XMCCQT    PIC S9(8) COMP.
