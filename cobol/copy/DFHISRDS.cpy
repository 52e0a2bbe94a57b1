      * DFHISRDS: statistics, connection over TCP/IP.
       01  DFHISRDS.
      * Length of the record
           03 ISRDS-LEN PIC S9(4) COMP.
      * IPCONN
           03 ISR-IPCONN-NAME PIC X(8).
      * APPLID of the other region
           03 ISR-APPLID PIC X(8).
      * NETWORKID
           03 ISR-NETWORK-ID PIC X(8).
      * HOST
           03 ISR-HOST-NAME PIC X(116).
      * PORT; 0: NO
           03 ISR-PORT-NUMBER PIC S9(8) COMP.
      * TCPIPSERVICE
           03 ISR-TCPIP-SERVICE PIC X(8).
      * SENDCOUNT
           03 ISR-SEND-SESSIONS PIC S9(8) COMP.
      * Send sessions in use
           03 ISR-CURRENT-SEND-SESSIONS PIC S9(8) COMP.
      * RECEIVECOUNT
           03 ISR-RECEIVE-SESSIONS PIC S9(8) COMP.
      * Sessions wanted
           03 ISR-TOTAL-ALLOCATES PIC S9(8) COMP.
      * Tasks that wait for a session
           03 ISR-CURRENT-QUEUED-ALLOCATES PIC S9(8) COMP.
      * Not got: released, out of service, not reached
           03 ISR-ALLOCATES-FAILED-LINK PIC S9(8) COMP.
      * Not got: all are in use
           03 ISR-ALLOCATES-FAILED-OTHER PIC S9(8) COMP.
