      * DFHXMRDS: statistics, transaction.
       01  DFHXMRDS.
      * Length of the record
           03 XMRLEN    PIC S9(4) COMP.
      * Transaction
           03 XMRTI     PIC X(4).
      * First program
           03 XMRPN     PIC X(8).
      * Class
           03 XMRTCL    PIC X(8).
      * Priority
           03 XMRPRTY   PIC S9(8) COMP.
      * Times attached
           03 XMRAC     PIC S9(8) COMP.
