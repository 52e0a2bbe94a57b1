      * A customer, 80 bytes; the key is CUST-ID.
       01  CUST-RECORD.
           05  CUST-ID               PIC 9(6).
           05  CUST-NAME             PIC X(24).
           05  CUST-CITY             PIC X(20).
           05  CUST-PHONE            PIC X(14).
           05  CUST-LIMIT            PIC 9(7)V99.
           05  CUST-STATUS           PIC X.
           05  FILLER                PIC X(6).
