      * DFHLGRDS: statistics, journal.
       01  DFHLGRDS.
      * Length of the record
           03 LGRLEN    PIC S9(4) COMP.
      * Journal
           03 LGRJNLNAME PIC X(8).
      * File it is written to, without .jnl; blank: none
           03 LGRSTREAM PIC X(26).
      * Records written to that file
           03 LGRWRITES PIC S9(8) COMP.
      * Times that file was flushed
           03 LGRBUFLSH PIC S9(8) COMP.
