      * What one step of a conversation leaves for the next.
       01  CUST-COMMAREA.
           05  COMM-MODE             PIC X.
               88  COMM-SHOW         VALUE 'S'.
               88  COMM-CHANGE       VALUE 'C'.
           05  COMM-CUST-ID          PIC X(6).
           05  COMM-BEFORE           PIC X(80).
           05  COMM-MESSAGE          PIC X(70).
